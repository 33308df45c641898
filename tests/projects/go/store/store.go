package store

import (
	"context"
	"fmt"
	"io"
	"sync"
)

// Entity is anything with a name.
type Entity interface {
	io.Closer
	fmt.Stringer
	// Name is unique.
	Name() string
	Rename(to string, tags ...string) (old string, err error)
}

type number interface {
	~int | ~float64
}

type (
	// Item is one thing.
	Item struct {
		Base
		*sync.Mutex
		Labels []string
		next   *Item
	}

	Base    struct{ ID int }
	Items   []*Item
	Visitor func(*Item) error
	Alias   = Base
)

// Close comes before its type is declared.
func (s *Store) Close() error { return s.file.Close() }

// Cache keeps values by key.
type Cache[K comparable, V Entity] struct {
	values map[K]V
}

func NewCache[K comparable, V Entity]() *Cache[K, V] {
	return &Cache[K, V]{values: make(map[K]V)}
}

func (c *Cache[K, V]) Get(key K) (V, bool) {
	value, ok := c.values[key]
	value.Name()
	return value, ok
}

type Store struct {
	file  io.ReadCloser
	items []*Item
	cache *Cache[string, *Item]
	queue chan *Item
}

func Open(ctx context.Context, path string) (*Store, error) {
	store := new(Store)
	store.cache = NewCache[string, *Item]()
	store.items = append(store.items, &Item{Base: Base{ID: 1}}, find(path))
	return store, nil
}

func (s *Store) Watch(ctx context.Context) {
	for {
		select {
		case item := <-s.queue:
			item.Lock()
		case <-ctx.Done():
			return
		}
	}
}

func (Store) Kind() string { return "store" }

func (b *Base) Describe(value any) string {
	switch v := value.(type) {
	case *Item:
		return v.Base.Describe(v.next)
	case Entity, io.Closer:
		return "closer"
	default:
		_ = v
	}
	each := func(visit Visitor) { visit(nil) }
	each(b.visit)
	for _, item := range []Item{{Labels: nil}, {}} {
		item.next.Unlock()
	}
	return string(value.(Entity).Name()[0]) + Sum[int](1, 2).Text()
}

func (x *Elsewhere) Do() { x.Undo() }

func Sum[T number](values ...T) T {
	var total T
outer:
	for i := 0; i < len(values); i++ {
		for range values {
			if total > values[i] && i > 3 || i < 0 {
				continue outer
			}
		}
		total += values[i]
	}
	return total
}

func find(path string) *Item { return nil }
