package document

import (
	"strings"

	"go.yaml.in/yaml/v4"
)

// schema lifts a schema and all within it.
func (l *lifter) schema(n *yaml.Node) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return n
	}
	o := object{Node: n}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i].Value, n.Content[i+1]
		lifted := value
		switch schema2.fields[name] {
		case schema2:
			lifted = l.schema(value)
		case schemas2:
			lifted = l.each(value, l.schema)
		case schemaAll2:
			lifted = l.list(value, l.schema)
		}
		if lifted != value {
			o.own()
			o.Content[i+1] = lifted
		}
	}
	if ref := refOf(n); ref != nil {
		o.set("$ref", l.ref(ref))
	}
	l.discriminator(&o)
	l.nullable(&o)
	if kind := o.get("type"); kind != nil && kind.Value == "file" {
		o.set("type", textAt(kind, "string"))
		o.set("format", textAt(kind, "binary"))
	}
	return o.Node
}

func (l *lifter) list(n *yaml.Node, lift func(*yaml.Node) *yaml.Node) *yaml.Node {
	if n.Kind != yaml.SequenceNode {
		return n
	}
	c := *n
	c.Content = make([]*yaml.Node, len(n.Content))
	for i, item := range n.Content {
		c.Content[i] = lift(item)
	}
	return &c
}

// ref renames the section in a reference.
func (l *lifter) ref(ref *yaml.Node) *yaml.Node {
	for old, section := range map[string]string{inDefinitions: inSchemas, inResponses2: inResponses, inParameters2: inParameters} {
		if rest, ok := strings.CutPrefix(ref.Value, "#/"+old+"/"); ok {
			c := *ref
			c.Value = "#/" + section + "/" + rest
			return &c
		}
	}
	return ref
}

// discriminator makes an object of what is just a property's name in 2.0.
func (l *lifter) discriminator(o *object) {
	d := o.get("discriminator")
	if d == nil {
		return
	}
	name := d
	if d.Kind == yaml.MappingNode { // as in 3.0
		name = (Node{d}).Get("propertyName").y
	}
	switch {
	case (Node{name}).Kind() == Text:
		o.set("discriminator", mapAt(d, textAt(d, "propertyName"), name))
	default:
		l.ds.Warnf(pos(d), "wrong-shape", "a discriminator is %s; want the name of a property; it was dropped", shown(d))
		o.drop("discriminator")
	}
}

// nullable reads the extensions by which 2.0 says that null is allowed.
func (l *lifter) nullable(o *object) {
	for _, name := range []string{"x-nullable", "x-isnullable"} {
		if v := o.get(name); v != nil && v.Tag == "!!bool" && v.Value == "true" && o.get("nullable") == nil {
			o.own()
			o.Content = append(o.Content, textAt(v, "nullable"), v)
		}
	}
}
