class Item:
    def touch(self):
        pass

def use(item):
    return item.touch()

items = [Item()]
list(map(use, items))
