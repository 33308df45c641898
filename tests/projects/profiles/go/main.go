package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/gin-gonic/gin"
)

var ErrGone = errors.New("gone")

type Store interface {
	Load(id string) (string, error)
	Close()
}

type Empty interface{}

type Memory struct{}

func (m *Memory) Load(id string) (string, error) {
	if id == "" {
		return "", ErrGone
	}
	return id, nil
}

// Close of Memory stands in another file.

type Half struct{}

func (h Half) Close() {}

type GoneError struct{}

func (g GoneError) Error() string { return "gone" }

func work(jobs chan string) {
	for job := range jobs {
		fmt.Println(job)
	}
}

func guarded(ctx context.Context) {
	defer func() {
		if found := recover(); found != nil {
			fmt.Println(found)
		}
	}()
	<-ctx.Done()
}

func run(store Store, jobs chan string) error {
	go work(jobs)
	go guarded(context.Background())
	go func() {
		fmt.Println("alone")
	}()
	_, err := store.Load("1")
	if err != nil {
		return fmt.Errorf("load: %w", err)
	}
	_ = store.Close
	text, _ := store.Load("2")
	store.Load("3")
	if errors.Is(err, ErrGone) {
		return err
	}
	if err != nil {
	}
	fmt.Println(text)
	return nil
}

func main() {
	r := gin.Default()
	r.GET("/orders/:id", show)
	_ = run(&Memory{}, make(chan string))
}

func show(c *gin.Context) {}
