"""Members that Python's classes get at run time: by decorators, by `setattr`, by `__getattr__` and `__getattribute__`."""

from typed_cases import Linked

PROXIES = """class Store:
    def read(self): ...
class Handing:
    def __init__(self):
        self._store = Store()
    def __getattr__(self, name):
        return getattr(self._store, name)
class Watching:
    size = 1
    def __getattribute__(self, name):
        return super().__getattribute__(name)
    def read(self): ...
class Truth:
    def __bool__(self): ...
    def __len__(self): ...
class Sized:
    def __len__(self): ...
def use():
    Handing().read()
    Watching().read()
    return Watching().size
def ask(truth: Truth, sized: Sized):
    return not truth and not sized
"""

DECORATED = """def keeping(*given, path=None):
    def decorator(klass):
        def __new__(cls, *args):
            return super(klass, cls).__new__(cls)
        def rebuild(self): ...
        klass.__new__ = staticmethod(__new__)
        klass.rebuild = rebuild
        return klass
    return decorator if not given else decorator(*given)
@keeping(path="x")
class Box:
    def __init__(self): ...
class Small(Box): ...
@keeping
class Bare: ...
class Plain: ...
Small().rebuild()
Bare()
Plain()
"""

NAMED = """class Reader:
    def read(self): ...
class Holder:
    def __init__(self, reader):
        setattr(self, "reader", Reader())
    def use(self):
        self.reader.read()
"""


def linked(text: str) -> Linked:
    return Linked("python", (".py",), {"main.py": text})


def implicit(found: Linked, name: str) -> set[str]:
    accesses = found.facts["main.py"].accesses
    return {
        found.name(target.place)
        for number, said in found.links["main.py"].implicit
        if accesses[number].name == name
        for target in said.targets
    }


def test_a_member_of_what_hands_questions_on_is_that_of_the_other_object():
    found = linked(PROXIES)

    assert found.targets("main.py", "Handing().read") == ["main.py:Store.read"]
    assert found.overriders("main.py", "Handing().read") == ["main.py:Handing.__getattr__"]


def test_a_module_answers_for_names_that_it_has_not():
    texts = {
        "shop/__init__.py": "size = 1\ndef __getattr__(name): ...\n",
        "main.py": (
            "import shop\ndef use():\n    return shop.__version__, shop.size, shop.late, shop.later, shop.__name__\n"
        ),
    }
    found = Linked("python", (".py",), texts)

    read = {name: implicit(found, name) for name in ("__version__", "size", "late", "later", "__name__")}
    asked, there = {"shop/__init__.py:__getattr__"}, set()
    assert read == {
        "__version__": asked,
        "size": there,
        "late": asked,
        "later": asked,
        "__name__": there,
    }


def test_what_intercepts_members_runs_for_those_there_are():
    found = linked(PROXIES)

    assert found.targets("main.py", "Watching().read") == ["main.py:Watching.read"]
    assert found.overriders("main.py", "Watching().read") == ["main.py:Watching.__getattribute__"]
    assert implicit(found, "size") == {"main.py:Watching.__getattribute__"}


def test_an_object_is_asked_for_its_length_only_where_nothing_else_says_whether_it_is_true():
    assert implicit(linked(PROXIES), "__bool__") == {"main.py:Truth.__bool__", "main.py:Sized.__len__"}


def test_a_decorator_gives_its_class_what_makes_objects_and_other_members():
    found = linked(DECORATED)
    made = "main.py:keeping.decorator.__new__"

    assert found.targets("main.py", "Small") == ["main.py:Box.__init__", made]
    assert made in found.targets("main.py", "Bare")
    assert found.targets("main.py", "Plain") == ["main.py:Plain"]
    assert found.targets("main.py", "Small().rebuild") == ["main.py:keeping.decorator.rebuild"]


def test_a_member_that_is_set_by_its_name_is_one_like_others():
    assert linked(NAMED).targets("main.py", "self.reader.read") == ["main.py:Reader.read"]
