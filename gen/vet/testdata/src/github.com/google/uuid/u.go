package uuid

func NewString() string { return "" }

type UUID [16]byte

func (UUID) String() string { return "" }

func New() UUID                            { return UUID{} }
func NewSHA1(space UUID, data []byte) UUID { return UUID{} }
