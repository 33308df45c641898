import shop
from shop import fields

fields.make_field()
shop.prices.find_price()
