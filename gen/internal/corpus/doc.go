// Package corpus holds the test over real specifications: each generates,
// builds, vets and is called, operation by operation, against answers made
// from its own schemas. It is behind the build tag corpus, for it takes
// minutes: make corpus.
package corpus
