from typing import Self

class Parent:
    def with_name(self) -> Self:
        return self

class Child(Parent):
    def finish(self):
        pass

Child().with_name().finish()
