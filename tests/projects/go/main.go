// Command shop sells things.
package main

import (
	"context"
	"fmt"
	_ "net/http/pprof"
	"os"
	. "strings"

	"example.com/shop/api"
	db "example.com/shop/store"
	yaml "gopkg.in/yaml.v3"
)

// Level says how loud the log is.
type Level int

const (
	Quiet Level = iota
	Loud
	_
	Deafening

	banner    = "shop of things"
	batchSize = 250
)

var (
	started, stopped = clock(), false
	version          string
	greet            = func(name string) string { return ToUpper(name) }
)

func init() {
	version = os.Getenv("SHOP_VERSION")
}

func main() {
	ctx := context.Background()
	config, err := load(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	store, err := db.Open(ctx, config.Path)
	if err != nil {
		panic(err)
	}
	defer store.Close()
	go store.Watch(ctx)
	if port, ok := os.LookupEnv("PORT"); ok {
		config.Port = port
	}
	server := api.NewServer(store)
	server.Run(config.Port)
}

// Config is what the file says.
//
//nolint:tagalign
type Config struct {
	Path, Port string
	Token      string `env:"SHOP_TOKEN" envDefault:"none"`
	hooks      map[string]func(Level) error
}

func load(path string) (config *Config, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return
	}
	config = &Config{Path: path, hooks: nil}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("bad config: %v", r)
		}
	}()
	return config, yaml.Unmarshal(raw, config)
}

func clock() int64 { return 0 }
