package runtime

// GeneratedCodeV1 ties generated packages to this package: each of them refers
// to the version it was generated for, so that code from an older or newer
// generator does not compile against a runtime that cannot carry it. Generate
// again to mend that.
const GeneratedCodeV1 = 1
