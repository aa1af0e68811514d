// Package corpus holds the tests over real specifications. TestWarnings holds
// what is said of them. TestCorpus has each generated, built, vetted and called,
// operation by operation, against answers made from its own schemas; it is
// behind the build tag corpus, for it takes minutes: make corpus.
package corpus
