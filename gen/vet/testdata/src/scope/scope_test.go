package scope

import (
	"testing"

	"payments"
)

func TestEach(t *testing.T) {
	for range 3 {
		t.Run("", func(t *testing.T) { _, _ = payments.NewClient(payments.Config{}) })
	}
}
