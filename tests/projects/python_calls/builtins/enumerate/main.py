class Item:
    def touch(self):
        pass

items = [Item(), Item()]
for index, item in enumerate(items):
    item.touch()
for left, right in zip(items, items):
    left.touch()
