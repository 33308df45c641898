package facts

// Limit is documented.
const Limit = 10

func count() int {
	// A comment inside, which documents nothing.
	return Limit
}
