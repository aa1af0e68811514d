package policy

import (
	"slices"
	"strings"

	"github.com/resgen-dev/resgen/gen/internal/diag"
	"github.com/resgen-dev/resgen/gen/internal/model"
)

// keyHeaders are headers known to carry an idempotency key, in lower case.
var keyHeaders = map[string]bool{
	"idempotency-key": true, "x-idempotency-key": true,
	"idempotence-key": true, "x-idempotence-key": true,
	"idempotent-key": true, "x-idempotent-key": true,
	"idempotency-token": true, "x-idempotency-token": true,
	"x-idempotence-uuid":       true, // Wise
	"paypal-request-id":        true, // PayPal
	"repeatability-request-id": true, // OASIS, Microsoft
	"opc-retry-token":          true, // Oracle
}

// correlationHeaders name a request for its readers and stop no repeat.
var correlationHeaders = map[string]bool{
	"x-request-id": true, "request-id": true, "x-correlation-id": true, "correlation-id": true,
	"x-ms-client-request-id": true, "x-ms-request-id": true, "x-ms-correlation-request-id": true,
	"client-request-id": true, "x-client-request-id": true, "opc-request-id": true, "opc-client-request-id": true,
	"x-trace-id": true, "traceparent": true, "x-amzn-trace-id": true, "x-amzn-requestid": true, "x-amz-request-id": true,
	"x-b3-traceid": true, "x-b3-spanid": true, "x-cloud-trace-context": true, "x-datadog-trace-id": true, "uber-trace-id": true,
	"x-transaction-id": true, "x-session-id": true,
}

// keyProperties are body properties that are probably idempotency keys, in
// lower case without separators.
var keyProperties = map[string]bool{"idempotencykey": true, "idempotencekey": true, "idempotencytoken": true}

// IsKeyHeader reports whether a header is known to carry an idempotency key.
func IsKeyHeader(name string) bool { return keyHeaders[headerKey(name)] }

// IsCorrelationHeader reports whether a header is known to name a request for
// its readers only.
func IsCorrelationHeader(name string) bool { return correlationHeaders[headerKey(name)] }

// IsKeyProperty reports whether a body property is probably an idempotency
// key. It is proposed by init, not assumed.
func IsKeyProperty(name string) bool {
	return keyProperties[strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name))]
}

func headerKey(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", "-") }

// checkKey complains of an annotation whose key contradicts itself.
func (r *reader) checkKey(a *annotation) {
	in := a.text(KeyPlace)
	name, hasName := a.leaf(KeyName)
	pointer, hasPointer := a.leaf(KeyPointer)
	switch {
	case in == "body" && hasName:
		r.errorf(name.key, "idempotency.key.name names a header or a query parameter; the key travels in the body").
			WithHint("write pointer: /%s", name.text)
	case (in == "header" || in == "query") && hasPointer:
		r.errorf(pointer.key, "idempotency.key.pointer points into the body; the key travels in the %s", in).
			WithHint("write in: body, or name the %s", in)
	case in == "" && hasName && hasPointer:
		r.errorf(pointer.key, "idempotency.key has both name and pointer; want one of them with in")
	}
}

// key is the key that an operation sends: the one that its own annotation
// states, one that a place around it offers and the operation declares or
// states itself keyed for, or a known header that the plain spec declares. It
// is nil where there is none.
func (r *reader) key(op *model.Operation, merged Leaves, class Value) *Key {
	leaves := merged.in("idempotency.key")
	if on := leaves.Get(KeyEnabled); on.Exists() && !on.Bool() {
		return nil
	}
	k := r.statedKey(op, leaves, class.Text == Keyed.String())
	if k == nil {
		k = inferredKey(op)
	}
	if k == nil {
		return nil
	}
	k.fill(leaves)
	return k
}

// statedKey is a key that an annotation names.
func (r *reader) statedKey(op *model.Operation, leaves Leaves, keyed bool) *Key {
	in, carrier := leaves.Get(KeyPlace), leaves.Get(KeyName)
	if in.Text == "body" || !in.Exists() && !carrier.Exists() {
		carrier = leaves.Get(KeyPointer)
	}
	if !in.Exists() && !carrier.Exists() {
		return nil
	}
	own := in.Exists() && in.Origin.Own() || carrier.Exists() && carrier.Origin.Own()
	if !r.complete(op, in, carrier, own || keyed) {
		return nil
	}
	k := &Key{In: KeyIn(index(keyPlaces, in.Text)), Origin: carrier.Origin, Reason: carrier.Reason}
	switch k.In {
	case KeyInHeader, KeyInQuery:
		k.Name = carrier.Text
		k.Params = carriers(op, k.In, k.Name)
	case KeyInBody:
		k.Pointer = carrier.Text
		k.Path = bodyPath(op.Body, k.Pointer)
		if len(k.Path) > 0 {
			k.Field = k.Path[len(k.Path)-1]
		}
	}
	if own || keyed || k.Declared() && proven(op.Method) != Safe {
		return k
	}
	return nil // offered from around, and nothing says that this operation knows it
}

// complete complains of a key that is not fully named where one is needed.
func (r *reader) complete(op *model.Operation, in, carrier Value, needed bool) bool {
	switch {
	case in.Exists() && carrier.Exists():
		return true
	case !needed || in.Text == "header" && inferredKey(op) != nil:
	case !in.Exists():
		d := r.errorf(carrier.Origin.Pos, "%s is %q without in; want header, query or body", carrier.Leaf, carrier.Text)
		if carrier.Leaf == KeyPointer {
			d.WithHint("write in: body beside it")
		} else {
			d.WithHint("write in: header beside it")
		}
	case in.Text == "body":
		r.errorf(in.Origin.Pos, "idempotency.key.in is body without a pointer").WithHint("write pointer: /idempotency_key beside it")
	default:
		r.errorf(in.Origin.Pos, "idempotency.key.in is %s without a name", in.Text).WithHint("write name: Idempotency-Key beside it")
	}
	return false
}

// inferredKey is a key read from the plain spec: on a write, the known headers
// that it declares.
func inferredKey(op *model.Operation) *Key {
	if proven(op.Method) == Safe {
		return nil
	}
	var k *Key
	for _, p := range op.Params {
		if p.In != model.InHeader || !IsKeyHeader(p.Wire) || !textual(p.Type) {
			continue
		}
		if k == nil {
			k = &Key{In: KeyInHeader, Name: p.Wire, Origin: Origin{Layer: LayerInferred, Pos: p.Pos}}
		}
		if strings.EqualFold(p.Wire, k.Name) {
			k.Params = append(k.Params, p)
		}
	}
	return k
}

// textual reports whether a made key, a text, is a value of the type.
func textual(t *model.Type) bool {
	for range 16 {
		if t == nil || t.Kind == model.Any {
			return true
		}
		if t.Kind != model.Alias {
			break
		}
		t = t.Elem
	}
	return t.Kind == model.String && t.Const == nil
}

// carriers are the declared parameters that carry a key: headers in any
// spelling, query parameters by their exact name.
func carriers(op *model.Operation, in KeyIn, name string) []*model.Param {
	var out []*model.Param
	for _, p := range op.Params {
		if in == KeyInHeader && p.In == model.InHeader && strings.EqualFold(p.Wire, name) ||
			in == KeyInQuery && p.In == model.InQuery && p.Wire == name {
			out = append(out, p)
		}
	}
	return out
}

// bodyPath are the declared properties on the way to a pointer into the body,
// the last one the key; empty where the spec does not declare it.
func bodyPath(b *model.Body, pointer string) []*model.Field {
	if b == nil {
		return nil
	}
	for _, c := range b.Contents {
		if path := typePath(c.Type, strings.Split(pointer[1:], "/")); path != nil {
			return path
		}
	}
	return nil
}

func typePath(t *model.Type, names []string) []*model.Field {
	for range 16 {
		if t == nil || t.Kind != model.Alias {
			break
		}
		t = t.Elem
	}
	if t == nil || t.Kind != model.Struct {
		return nil
	}
	name := strings.NewReplacer("~1", "/", "~0", "~").Replace(names[0])
	for _, f := range t.Fields {
		if f.Wire != name {
			continue
		}
		if len(names) == 1 {
			return []*model.Field{f}
		}
		if rest := typePath(f.Type, names[1:]); rest != nil {
			return append([]*model.Field{f}, rest...)
		}
	}
	return nil
}

// fill puts the leaves that say more of the key into it, and what the spec
// says of what carries it.
func (k *Key) fill(leaves Leaves) {
	drop := []Leaf{KeyEnabled, KeyPointer}
	if k.In == KeyInBody {
		drop = []Leaf{KeyEnabled, KeyName}
	}
	if k.Origin.Layer == LayerInferred {
		leaves = append(Leaves{
			{Leaf: KeyPlace, Text: k.In.String(), Origin: k.Origin},
			{Leaf: KeyName, Text: k.Name, Origin: k.Origin},
		}, leaves.except(KeyPlace, KeyName)...)
	}
	if n, pos := k.declaredLength(); n > 0 && !leaves.Get(KeyMaxLength).Exists() {
		leaves = append(leaves, Value{Leaf: KeyMaxLength, Text: itoa(n), Origin: Origin{Layer: LayerInferred, Pos: pos}})
	}
	k.Leaves = leaves.except(drop...).sorted()
	k.MaxLength = k.Leaves.Get(KeyMaxLength).Int()
	k.Generate = Generate(index(generates, k.Leaves.Get(KeyGenerate).Text))
	k.Retention, _ = k.Leaves.Get(KeyRetention).Duration()
	k.Stores = Stores(index(storesWords, k.Leaves.Get(KeyStores).Text))
	k.Statuses = k.Leaves.Get(KeyStatuses).Means
	k.Replayed = k.Leaves.Get(KeyReplayed).Text
	k.Required = k.Field != nil && k.Field.Required || slices.ContainsFunc(k.Params, func(p *model.Param) bool { return p.Required })
}

// declaredLength is the shortest maxLength that the spec sets for what carries
// the key, with its position.
func (k *Key) declaredLength() (least int, pos diag.Pos) {
	types := map[diag.Pos]*model.Type{}
	for _, p := range k.Params {
		types[p.Pos] = p.Type
	}
	if k.Field != nil {
		types[k.Field.Pos] = k.Field.Type
	}
	for at, t := range types {
		for t != nil && t.Kind == model.Alias && t.Limits.MaxLength == nil {
			t = t.Elem
		}
		if t != nil && t.Limits.MaxLength != nil && *t.Limits.MaxLength > 0 && (least == 0 || *t.Limits.MaxLength < least ||
			*t.Limits.MaxLength == least && at.Compare(pos) < 0) {
			least, pos = *t.Limits.MaxLength, at
		}
	}
	return least, pos
}
