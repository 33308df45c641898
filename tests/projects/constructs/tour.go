package shop

import "fmt"

func Load(rows []Row, path string, done chan int) (any, error) {
	file, err := Open(path, "rw")
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	defer file.Close()
	for _, row := range Ordered(rows) {
		row.Save()
	}
	_ = file.Sync()
	size, _ := file.Size()
	go Notify("loaded")
	done <- 1
	query := "SELECT " + path + " FROM items"
	Visit(func() { Mark(query) })
	if err := Check(size); err != nil {
		log.Println(err)
	}
	return file.Any().(Row), nil
}
