"""What models of Django give each other: reverse relations, many-to-many fields, models that a text or setting names."""

import pytest
from typed_cases import Linked

PROJECT = {
    "accounts/__init__.py": "",
    "accounts/models.py": """from django.contrib.auth.models import AbstractUser
class Account(AbstractUser):
    def greet(self): ...
    def bill(self):
        self.orders.first().cancel()
""",
    "shop/__init__.py": "",
    "shop/models.py": """from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import models
class Tag(models.Model):
    def close(self): ...
class Order(models.Model):
    buyer = models.ForeignKey("accounts.Account", related_name="orders", on_delete=models.CASCADE)
    clerk = models.ForeignKey(settings.AUTH_USER_MODEL, related_name="+", on_delete=models.CASCADE)
    tags = models.ManyToManyField(Tag)
    def cancel(self): ...
class Receipt(models.Model):
    order = models.OneToOneField(Order, on_delete=models.CASCADE)
    def print(self): ...
def who():
    return get_user_model().objects.get()
""",
    "other/models.py": "class Account:\n    def greet(self): ...\n",
}


@pytest.fixture(scope="module")
def found() -> Linked:
    body = """from shop.models import Order, Tag, Receipt, who
order = Order.objects.get()
order.buyer.greet()
order.clerk.bill()
order.tags.filter(a=1).first().close()
order.tags.add(1)
order.receipt.print()
Tag.objects.get().order_set.last().cancel()
who().greet()
"""
    return Linked("python", (".py",), {**PROJECT, "main.py": body})


@pytest.mark.parametrize(
    ("text", "method"),
    [
        ("order.buyer.greet", "accounts/models.py:Account.greet"),
        ("order.clerk.bill", "accounts/models.py:Account.bill"),
        ("order.tags.filter(a=1).first().close", "shop/models.py:Tag.close"),
        ("order.receipt.print", "shop/models.py:Receipt.print"),
        ("Tag.objects.get().order_set.last().cancel", "shop/models.py:Order.cancel"),
        ("who().greet", "accounts/models.py:Account.greet"),
    ],
)
def test_a_relation_leads_to_objects_of_the_other_model(found, text, method):
    assert found.call("main.py", text).reason != "unique-name"
    assert found.targets("main.py", text) == [method]


def test_a_model_of_another_file_gives_one_all_that_lead_to_it(found):
    assert found.targets("accounts/models.py", "self.orders.first().cancel") == [
        "shop/models.py:Order.cancel"
    ]


def test_methods_of_relations_themselves_are_outside(found):
    assert found.call("main.py", "order.tags.add").external_name == "django.db.models.Manager.add"


HOME = {
    "django/db/models/base.py": "class Model:\n    def save(self): ...\n",
    "django/db/models/options.py": "class Options:\n    def get_field(self): ...\n",
    "django/db/models/manager.py": """from django.db.models.query import QuerySet
class BaseManager:
    @classmethod
    def _get_queryset_methods(cls, queryset_class):
        def create_method(name, method):
            def manager_method(self, *args):
                return getattr(self.get_queryset(), name)(*args)
            return manager_method
        return {name: create_method(name, method) for name, method in vars(queryset_class).items()}
    @classmethod
    def from_queryset(cls, queryset_class):
        return type("X", (cls,), {"_queryset_class": queryset_class, **cls._get_queryset_methods(queryset_class)})
    def get_queryset(self):
        return self._queryset_class(self.model)
    def all(self):
        return self.get_queryset()
class Manager(BaseManager.from_queryset(QuerySet)): ...
class ManagerDescriptor:
    def __get__(self, instance, cls=None): ...
""",
    "django/db/models/query.py": """class QuerySet:
    def filter(self, **given):
        return self._clone()
    def _clone(self):
        return self.__class__()
    def first(self): ...
    @classmethod
    def as_manager(cls): ...
""",
    "django/db/models/fields/related_descriptors.py": """class ForwardManyToOneDescriptor:
    def __get__(self, instance, cls=None): ...
class ReverseOneToOneDescriptor:
    def __get__(self, instance, cls=None): ...
class ReverseManyToOneDescriptor:
    def __get__(self, instance, cls=None): ...
def create_reverse_many_to_one_manager(superclass, rel):
    class RelatedManager(superclass): ...
    return RelatedManager
def create_forward_many_to_many_manager(superclass, rel):
    class ManyRelatedManager(superclass):
        def add(self, one): ...
    return ManyRelatedManager
""",
    "main.py": """from django.db.models.base import Model
from django.db.models.fields import ForeignKey, ManyToManyField
class Team(Model):
    def close(self): ...
class Player(Model):
    team = ForeignKey(Team)
    teams = ManyToManyField(Team)
def use():
    Team.objects.filter(a=1).first().close()
    Team.objects.all().first()
    Team._meta.get_field()
    player = Player()
    player.teams.add(player.team)
""",
}


def test_a_mapper_of_the_project_runs_its_own_code():
    found = Linked("python", (".py",), HOME)
    at = "django/db/models/"
    forwarding = f"{at}manager.py:BaseManager._get_queryset_methods.create_method.manager_method"

    assert found.targets("main.py", "Team.objects.filter") == [f"{at}query.py:QuerySet.filter"]
    assert found.overriders("main.py", "Team.objects.filter") == [forwarding]
    assert found.targets("main.py", "Team.objects.filter(a=1).first") == [f"{at}query.py:QuerySet.first"]
    assert found.overriders("main.py", "Team.objects.filter(a=1).first") == []
    assert found.targets("main.py", "Team.objects.filter(a=1).first().close") == ["main.py:Team.close"]
    assert found.targets("main.py", "Team.objects.all") == [f"{at}manager.py:BaseManager.all"]
    assert found.targets("main.py", "Team.objects.all().first") == [f"{at}query.py:QuerySet.first"]
    assert found.targets("main.py", "Team._meta.get_field") == [f"{at}options.py:Options.get_field"]
    many = f"{at}fields/related_descriptors.py:create_forward_many_to_many_manager.ManyRelatedManager.add"
    assert found.targets("main.py", "player.teams.add") == [many]
    read = {
        found.facts["main.py"].accesses[number].name: [found.name(one.place) for one in said.targets]
        for number, said in found.links["main.py"].implicit
    }
    related = f"{at}fields/related_descriptors.py:"
    assert read["objects"] == [f"{at}manager.py:ManagerDescriptor.__get__"]
    assert read["team"] == [f"{related}ForwardManyToOneDescriptor.__get__"]
    assert read["teams"] == [f"{related}ReverseManyToOneDescriptor.__get__"]
