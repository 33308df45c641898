print(len([1, 2, 3]))
"a b".split()
