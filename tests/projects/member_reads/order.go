package a

type Customer struct{ Name string; Mail *Mail }
type Mail struct{ Host string }
type Order struct{ Customer Customer; Total int; items []int }

func (o *Order) Sum(other Order) int {
	o.Total = other.Total
	o.Customer.Name = "x"
	print(o.Customer.Mail.Host)
	o.Customer.Mail.Send()
	for _, i := range o.items { _ = i }
	o.items[0] = o.items[1]
	o.Total++
	o.Total += 2
	f := Order{Total: o.Total}
	go o.items.Run()
	return f.Total + other.Customer.Mail.get().Host.size
}
