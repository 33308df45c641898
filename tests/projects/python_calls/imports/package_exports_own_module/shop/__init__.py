from . import fields
from shop import prices
