import typing as t
from functools import update_wrapper

F = t.TypeVar("F", bound=t.Callable[..., t.Any])


def guarded(function: F) -> F:
    def wrapper(*arguments):
        return function(*arguments)

    return t.cast(F, update_wrapper(wrapper, function))


class App:
    @guarded
    def route(self, path):
        def register(view):
            return view

        return register

    @guarded
    def filter(self, name):
        def keep(view):
            return view

        return keep


app = App()
app.route("/")(print)
app.filter("upper")(print)
