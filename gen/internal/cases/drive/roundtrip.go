package drive

import (
	jsonv1 "encoding/json"
	"fmt"
	"reflect"

	"github.com/go-json-experiment/json"
)

// roundTrip sends a payload through a type with both JSON libraries.
func (p Package) roundTrip(t RoundTrip) (trip Trip) {
	defer func() {
		if r := recover(); r != nil {
			trip.Panicked = fmt.Sprint(r)
		}
	}()
	sample, ok := p.Types[t.Type]
	if !ok {
		trip.Error2 = "no type " + t.Type
		trip.Error1 = trip.Error2
		return trip
	}
	of := reflect.TypeOf(sample).Elem()
	if string(t.Payload) == "null" {
		of = reflect.PointerTo(of) // null is a value of the place, not of the type
	}
	v := reflect.New(of).Interface()
	if err := json.Unmarshal(t.Payload, v); err != nil {
		trip.Error2 = err.Error()
	} else if out, err := json.Marshal(v); err != nil {
		trip.Error2 = err.Error()
	} else {
		trip.V2 = out
	}
	v = reflect.New(of).Interface()
	if err := jsonv1.Unmarshal(t.Payload, v); err != nil {
		trip.Error1 = err.Error()
	} else if out, err := jsonv1.Marshal(v); err != nil {
		trip.Error1 = err.Error()
	} else {
		trip.V1 = out
	}
	return trip
}
