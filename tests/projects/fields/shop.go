package a
type Item struct {
	Name string `json:"name" db:"item_name"`
	Note *string `json:"note,omitempty"`
	Price int `gorm:"column:price_cents" json:"priceCents"`
	hidden bool
}
