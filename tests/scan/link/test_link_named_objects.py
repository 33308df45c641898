"""Objects of which only the name is known, and that is the name of a class in sight."""

import pytest
from typed_cases import Linked

CARS = (
    "class Car:\n    def stop(self): pass\n    def name(self): pass\nclass Bus:\n    def stop(self): pass\n"
)


def python(main: str) -> Linked:
    return Linked("python", (".py",), {"cars.py": CARS, "main.py": main})


@pytest.mark.parametrize(
    ("main", "text", "targets"),
    [
        ("from cars import Car\ndef f(car): car.stop()\n", "car.stop", ["cars.py:Car.stop"]),
        ("from cars import Car\ndef f(x): x.car.stop()\n", "x.car.stop", ["cars.py:Car.stop"]),
        ("from cars import Car\ndef f(_car): _car.stop()\n", "_car.stop", ["cars.py:Car.stop"]),
        ("def f(car): car.stop()\n", "car.stop", []),  # no such class is in sight
        ("from cars import Car\ndef f(car): car.drive()\n", "car.drive", []),  # which it does not have
        ("from cars import Car\ndef f(Car_): Car_.stop()\n", "Car_.stop", []),
        ("from lorries import Car\ndef f(car): car.stop()\n", "car.stop", []),
    ],
)
def test_an_object_is_of_the_class_in_sight_that_it_is_called_after(main, text, targets):
    found = python(main)
    assert found.targets("main.py", text) == targets
    if targets:
        link = found.call("main.py", text)
        assert (link.outcome, link.reason, link.targets[0].confidence) == ("resolved", "named-after", 0.9)


def test_what_is_known_of_an_object_counts_for_more_than_its_name():
    found = python("from cars import Bus, Car\ndef f(car: Bus): car.stop()\n")
    assert found.targets("main.py", "car.stop") == ["cars.py:Bus.stop"]


def test_what_a_class_holds_under_its_own_name_is_something_else():
    main = "class Page:\n    def show(self): self.page.show()\nclass Other:\n    def show(self): pass\n"
    assert Linked("python", (".py",), {"main.py": main}).targets("main.py", "self.page.show") == []


def test_php_and_ruby_name_objects_so_too():
    php = {
        "Car.php": "<?php\nclass Car { function stop() {} }\nclass Bus { function stop() {} }\n",
        "main.php": "<?php\nfunction f($car) { $car->stop(); }\n",
    }
    assert Linked("php", (".php",), php).targets("main.php", "$car->stop") == ["Car.php:Car.stop"]
    ruby = {
        "app/models/car.rb": "class Car\n  def stop; end\nend\nclass Bus\n  def stop; end\nend\n",
        "app/jobs/job.rb": "class Job\n  def perform(car)\n    car.stop\n  end\nend\n",
    }
    found = Linked("ruby", (".rb",), ruby)
    assert found.targets("app/jobs/job.rb", "car.stop") == ["app/models/car.rb:Car.stop"]


def test_a_query_set_that_is_annotated_gives_objects_of_its_model():
    main = (
        "from django.db.models import QuerySet\nfrom cars import Car\n"
        "def f(qs: QuerySet[Car]):\n    for each in qs:\n        each.stop()\n    qs.filter(a=1).first().name()\n"
    )
    cars = "from django.db import models\n" + CARS.replace("class Car:", "class Car(models.Model):")
    found = Linked("python", (".py",), {"cars.py": cars, "main.py": main})
    assert found.targets("main.py", "each.stop") == ["cars.py:Car.stop"]
    assert found.targets("main.py", "qs.filter(a=1).first().name") == ["cars.py:Car.name"]


def test_a_manager_of_the_project_is_no_query_set():
    main = (
        "from typing import Generic, TypeVar\nfrom cars import Car\nT = TypeVar('T')\n"
        "class Manager(Generic[T]):\n    def first(self): return 1\ndef f(cars: Manager[Car]): cars.first()\n"
    )
    assert python(main).targets("main.py", "cars.first") == ["main.py:Manager.first"]


def test_an_element_of_something_outside_may_be_of_the_project():
    main = "from outside import Shelf\ndef f(shelf: Shelf):\n    for each in shelf:\n        each.stop()\n"
    link = python(main).call("main.py", "each.stop")
    assert (link.outcome, link.external_name) == ("unknown", None)
