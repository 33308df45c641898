class Mail { String host; Mail get() { return this; } }
class Customer { String name; Mail mail; }
class Order {
    Customer customer; int total; int[] items;
    int sum(Order other) {
        total = other.total;
        this.customer.name = "x";
        System.out.println(customer.mail.host);
        this.customer.mail.send();
        for (int i : items) { use(i); }
        items[0] = other.items[1];
        this.total += 2;
        total++;
        return total + other.customer.mail.get().host.length();
    }
}
