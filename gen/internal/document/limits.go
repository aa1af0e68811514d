package document

// Bounds on what one Load takes in. Real documents stay far below: the deepest
// known nests 32 levels, the largest file has 13 MB, and none uses aliases.
const (
	maxDepth    = 200       // levels of nesting in one file
	maxFileSize = 64 << 20  // bytes of one file
	maxAllSize  = 512 << 20 // bytes of all files together
	maxFiles    = 20_000    // files of one document
	maxExpanded = 1_000_000 // nodes copied by aliases, merges and inlined references together
	maxChain    = 100       // references that lead from one to the next
)
