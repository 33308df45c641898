"""Classes and functions that settings and tables name by texts: libraries of Django's, plugins, models that can be changed."""

import pytest
from relink_cases import KeptLinks
from typed_cases import Linked

SETTINGS = """from django.conf import settings
ORDER_MODEL = getattr(settings, "SHOP_ORDER_MODEL", "shop.Order")
DEFAULTS = {
    "RULE": "shop.rules.allow",
    "CHECKER_CLASS": "shop.rules.Checker",
    "READERS": ("shop.rules.Reader",),
    "ORDER_MODEL": ORDER_MODEL,
    "TITLE": "shop.rules.txt",
    "LIMIT": 5,
}
class Settings:
    def __getattr__(self, name):
        return load(DEFAULTS[name])
app_settings = Settings()
"""
RULES = """def allow(user): ...
class Checker:
    def check(self): ...
class Reader:
    def read(self): ...
"""
MODELS = """from django.apps import apps
from django.db import models
from shop.settings import app_settings
class Order(models.Model):
    def close(self): ...
def get_order_model():
    return apps.get_model(app_settings.ORDER_MODEL)
class Line(models.Model):
    order = models.ForeignKey(app_settings.ORDER_MODEL, on_delete=models.CASCADE)
"""


def project(body: str) -> dict[str, str]:
    start = "from django.apps import apps\nfrom shop.settings import app_settings\nfrom shop.models import Line, get_order_model\n"
    return {
        "shop/__init__.py": "",
        "shop/settings.py": SETTINGS,
        "shop/rules.py": RULES,
        "shop/models.py": MODELS,
        "shop/views.py": start + body,
    }


@pytest.mark.parametrize(
    ("body", "text", "target"),
    [
        ("def view(user):\n    app_settings.RULE(user)\n", "app_settings.RULE", "shop/rules.py:allow"),
        (
            "class View:\n    made = app_settings.CHECKER_CLASS\n    def get(self):\n        self.made().check()\n",
            "self.made().check",
            "shop/rules.py:Checker.check",
        ),
        ("app_settings.READERS[0]().read()\n", "app_settings.READERS[0]().read", "shop/rules.py:Reader.read"),
        ("Model = get_order_model()\nModel().close()\n", "Model().close", "shop/models.py:Order.close"),
        ("apps.get_model('shop', 'Order')().close()\n", None, "shop/models.py:Order.close"),
        ("apps.get_model('shop.Order')().close()\n", None, "shop/models.py:Order.close"),
        ("Line().order.close()\n", "Line().order.close", "shop/models.py:Order.close"),
    ],
)
def test_what_a_table_of_settings_names_in_full_is_what_the_setting_means(body, text, target):
    text = text or body.strip().removesuffix("()")

    assert Linked("python", (".py",), project(body)).targets("shop/views.py", text) == [target]


def test_a_migration_has_models_without_methods():
    files = project("")
    files["shop/migrations/0001.py"] = "def run(apps):\n    apps.get_model('shop', 'Order')().close()\n"
    found = Linked("python", (".py",), files)

    assert (
        found.call("shop/migrations/0001.py", "apps.get_model('shop', 'Order')().close").outcome != "resolved"
    )


def test_what_a_test_of_a_migration_is_handed_has_models_without_methods():
    body = (
        "def test(executor):\n    apps = executor.state.apps\n    apps.get_model('shop', 'Order')().close()\n"
    )
    found = Linked("python", (".py",), project(body + "old_apps.get_model('shop', 'Line')().close()\n"))

    for text in ("apps.get_model('shop', 'Order')().close", "old_apps.get_model('shop', 'Line')().close"):
        assert found.call("shop/views.py", text).outcome != "resolved" or (
            found.call("shop/views.py", text).reason == "unique-name"
        )


def test_the_class_that_a_setting_means_is_named_by_who_reads_the_setting():
    files = project("class View:\n    made = app_settings.CHECKER_CLASS\n")
    found = Linked("python", (".py",), files)
    named = [
        found.name(target.place)
        for reference in found.links["shop/views.py"].references
        for target in reference.targets
    ]

    assert "shop/rules.py:Checker" in named


def test_a_setting_that_comes_to_be_links_again_who_reads_it():
    before = project("def view(user):\n    app_settings.RULE(user)\n")
    kept = KeptLinks({**before, "shop/settings.py": SETTINGS.replace('"RULE"', '"OTHER"')})

    kept.change_to(before)

    assert "shop/views.py" in kept.linked
    assert kept.links == KeptLinks(before).links
