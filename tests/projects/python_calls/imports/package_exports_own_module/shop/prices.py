def find_price():
    pass
