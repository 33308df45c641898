"""What listens to a signal runs for who sends it, and what bodies of classes hold runs for their objects."""

import pytest

from drift.analyses.testing.affected import find_neighbourhood, reach_functions
from drift.analyses.testing.suites import suites_of
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan


@pytest.fixture
def tests_of(tmp_path):
    def run(files, qualname):
        for path, text in files.items():
            (tmp_path / path).parent.mkdir(exist_ok=True)
            (tmp_path / path).write_text(text)
        scan(tmp_path, ScanOptions(jobs=0))
        with IndexReader(StateDir(tmp_path).index_db) as reader:
            suites = suites_of(reader)
            (one,) = [
                each
                for each in reader.symbols.named(qualname.rpartition(".")[2])
                if each.qualname == qualname
            ]
            found = reach_functions(find_neighbourhood(reader, suites, [one.id]), suites)[one.id]
            return {suites.cases[case].name for case, reach in found.items() if not reach.is_faint}

    return run


SIGNALS = {
    "signals.py": "from django.dispatch import Signal\npaid = Signal()\nsent = Signal()\n",
    "orders.py": (
        "from signals import paid, sent\n"
        "def pay(order):\n    paid.send(sender='x', order=order)\n"
        "def ship(order):\n    sent.send_robust(sender='x', order=order)\n"
    ),
    "mails.py": (
        "from django.dispatch import receiver\nfrom signals import paid, sent\n"
        "@receiver(paid)\ndef thank(sender, order, **kwargs):\n    return order\n"
        "@receiver([sent])\ndef announce(sender, order, **kwargs):\n    return order\n"
    ),
    "test_orders.py": (
        "from orders import pay, ship\ndef test_pay():\n    pay(1)\ndef test_ship():\n    ship(1)\n"
    ),
}


def test_what_listens_to_a_signal_runs_for_the_tests_that_send_this_one(tests_of):
    assert tests_of(SIGNALS, "thank") == {"test_pay"}
    assert tests_of(SIGNALS, "announce") == {"test_ship"}


FORMS = {
    "forms.py": (
        "from django import forms\n"
        "def no_spam(value):\n    return value\n"
        "class Mail(forms.EmailField):\n    def clean(self, value):\n        return value\n"
        "class Signup(forms.Form):\n    mail = Mail(validators=[no_spam])\n"
        "    def clean_mail(self):\n        return 1\n"
        "    def of_nobody(self):\n        return 1\n"
        "class Other(forms.Form):\n    text = forms.CharField()\n"
    ),
    "test_forms.py": (
        "from forms import Other, Signup\n"
        "def test_signup():\n    assert Signup({}).is_valid()\n"
        "def test_other():\n    assert Other({}).is_valid()\n"
    ),
}


def test_the_fields_and_checks_of_a_form_run_for_who_makes_it(tests_of):
    assert tests_of(FORMS, "Mail.clean") == {"test_signup"}
    assert tests_of(FORMS, "no_spam") == {"test_signup"}
    assert tests_of(FORMS, "Signup.clean_mail") == {"test_signup"}


def test_a_method_that_the_framework_does_not_call_runs_for_nobody(tests_of):
    assert tests_of(FORMS, "Signup.of_nobody") == set()


HOOKS = {
    "marks.py": "import pluggy\nimpl = pluggy.HookimplMarker('shop')\n",
    "plugins.py": (
        "from marks import impl\n"
        "@impl\ndef shop_price(order):\n    return 1\n"
        "@impl(trylast=True)\ndef shop_other(order):\n    return 2\n"
    ),
    "shop.py": (
        "import pluggy\nmanager = pluggy.PluginManager('shop')\n"
        "class Till:\n    def __init__(self, plugins):\n        self.plugins = plugins\n"
        "    def price(self, order):\n        return self.plugins.hook.shop_price(order=order)\n"
        "def other(order):\n    return manager.hook.shop_other(order=order)\n"
    ),
    "test_shop.py": (
        "from shop import Till, manager, other\n"
        "def test_price():\n    assert Till(manager).price(1)\n"
        "def test_other():\n    assert other(1)\n"
    ),
}


def test_what_plugins_offer_for_a_hook_runs_for_the_tests_that_call_the_hook(tests_of):
    assert tests_of(HOOKS, "shop_price") == {"test_price"}
    assert tests_of(HOOKS, "shop_other") == {"test_other"}


ADMIN = {
    "shop/models.py": "from django.db import models\nclass Order(models.Model):\n    pass\nclass Parcel(models.Model):\n    pass\n",
    "shop/admin.py": (
        "from django.contrib import admin\nfrom shop.models import Order, Parcel\n"
        "class Late(admin.SimpleListFilter):\n    def lookups(self, request, model_admin):\n        return []\n"
        "@admin.register(Order)\nclass OrderAdmin(admin.ModelAdmin):\n    list_display = ['total']\n    list_filter = [Late]\n"
        "    def total(self, order):\n        return 1\n"
        "@admin.register(Parcel)\nclass ParcelAdmin(admin.ModelAdmin):\n    list_display = ['weight']\n"
        "    def weight(self, parcel):\n        return 1\n"
    ),
    "shop/tests.py": (
        "from django.test import TestCase\nfrom django.urls import reverse\n"
        "class TestAdmin(TestCase):\n"
        "    def test_orders(self):\n        self.client.get('/admin/shop/order/')\n"
        "    def test_parcels(self):\n        self.client.get(reverse('admin:shop_parcel_changelist'))\n"
    ),
}


def test_a_class_of_the_admin_runs_for_the_tests_that_ask_for_its_pages(tests_of):
    assert tests_of(ADMIN, "OrderAdmin.total") == {"test_orders"}
    assert tests_of(ADMIN, "Late.lookups") == {"test_orders"}
    assert tests_of(ADMIN, "ParcelAdmin.weight") == {"test_parcels"}


def test_what_a_decorator_keeps_under_a_name_runs_for_the_tests_that_call_or_say_it(tests_of):
    files = {
        "api.py": (
            "from kit import rpc_method, app\nfrom other import needs\n"
            "@rpc_method(name='Case.filter', auth=needs('x.y'))\ndef filter(query):\n    return query\n"
            "@rpc_method(name='Case.remove')\ndef remove(query):\n    return query\n"
            "@app.task(name='mails.send')\ndef deliver(mail):\n    return mail\n"
        ),
        "test_api.py": (
            "import outside\nfrom kit import app\n"
            "class TestApi:\n"
            "    @property\n    def client(self):\n        return outside.Client('/').exec\n"
            "    def test_filter(self):\n        assert self.client.Case.filter({})\n"
            "    def test_given(self, rpc):\n        assert rpc.Case.remove({})\n"
            "def test_send():\n    app.send_task('mails.send')\n"
        ),
    }

    assert tests_of(files, "filter") == {"test_filter"}
    assert tests_of(files, "remove") == {"test_given"}
    assert tests_of(files, "deliver") == {"test_send"}
