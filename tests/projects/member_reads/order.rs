struct Mail { host: String }
struct Customer { name: String, mail: Mail }
struct Order { customer: Customer, total: i32, items: Vec<i32> }
impl Order {
    fn sum(&mut self, other: &Order) -> i32 {
        self.total = other.total;
        self.customer.name = String::new();
        println!("{}", self.customer.mail.host);
        self.customer.mail.send();
        for i in &self.items { drop(i); }
        self.items[0] = self.items[1];
        self.total += 2;
        let f = Order { total: self.total, ..other };
        match self.customer.mail { Mail { host } => {} }
        f.total + other.customer.mail.get().size
    }
}
