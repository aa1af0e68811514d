// Package wire is what generated clients call: it turns arguments into
// requests, answers into values, and hands both to the engine of package
// runtime. People do not call it; its functions change together with the
// generator.
//
// A generated method is a list of one-line calls: [NewRequest], a line per
// parameter, a line for the body, and [Do] or one of its kin. Nothing fails on
// the way: what cannot be sent is kept in the [Request], and the call ends with
// it as a class input error before anything goes out.
//
// Unset arguments send nothing: nil pointers, nil and empty lists and maps,
// absent or null [rt.Nullable] and [rt.Value]. Zero values that are not nil are
// values.
package wire
