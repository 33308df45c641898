// Package roles has lists and tables, which Go keeps in variables.
package roles

var Roles = []string{"admin", "editor"}

var States = map[string]int{"open": 1, "closed": 2}

func local() {
	names := []string{"not kept"}
	use(names)
}
