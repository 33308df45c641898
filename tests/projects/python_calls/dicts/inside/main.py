def greet():
    pass

def leave():
    pass

table = {"open": {}}
table["open"]["first"] = greet
table["open"]["first"]()

waiting = {"open": []}
waiting["open"].append(leave)
for step in waiting["open"]:
    step()
