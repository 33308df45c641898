package store_test

import (
	"testing"

	"example.com/shop/store"
	"github.com/stretchr/testify/suite"
)

type StoreSuite struct {
	suite.Suite
}

func (s *StoreSuite) TestOpens() { s.NoError(nil) }

func (s *StoreSuite) helper() {}

func TestSum(t *testing.T) {
	cases := []struct {
		name string
		want int
	}{{"none", 0}, {name: "some", want: 7}}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) { t.Log(store.Sum(tc.want)) })
	}
	t.Run("negative", func(t *testing.T) { t.Skip() })
}

func BenchmarkSum(b *testing.B) {}

func FuzzSum(f *testing.F) {}

func ExampleSum() {}

func Testimony() {}

func TestMain(m *testing.M) { m.Run() }
