"""Managers, query sets and relations of Django's models, which exist at run time alone."""

import pytest
from typed_cases import Linked

MODELS = """from django.db import models
class Team(models.Model):
    def invite(self): ...
    def close(self): ...
class PlayerSet(models.QuerySet):
    def active(self):
        return self.filter(left=None)
    def oldest(self): ...
class Player(models.Model):
    team = models.ForeignKey(Team, on_delete=models.CASCADE)
    rival = models.ForeignKey("self", null=True, on_delete=models.CASCADE)
    home = models.OneToOneField(to="app.Ground", on_delete=models.CASCADE)
    objects = PlayerSet.as_manager()
    def close(self): ...
class Ground(models.Model):
    def close(self): ...
class CoachManager(models.Manager):
    def licensed(self): ...
class Coach(models.Model):
    objects = CoachManager()
    def close(self): ...
from netfields import NetManager
class Net(models.Model):
    objects = NetManager()
    def close(self): ...
class Mask(Net):
    def open(self): ...
class Scout(models.Model):
    people = models.Manager.from_queryset(PlayerSet)()
    def close(self): ...
"""


def targets(body: str, text: str) -> list[str]:
    start = "from models import Mask, Team, Player, Coach, Scout\nfrom django.shortcuts import get_object_or_404\n"
    found = Linked("python", (".py",), {"models.py": MODELS, "main.py": start + body})
    said = found.call("main.py", text)
    assert said.reason != "unique-name"
    return found.targets("main.py", text)


@pytest.mark.parametrize(
    ("body", "text", "method"),
    [
        ("Team.objects.get(pk=1).close()\n", "Team.objects.get(pk=1).close", "Team.close"),
        ("Team.objects.filter(a=1).order_by('x').first().close()\n", None, "Team.close"),
        ("one = Team.objects.create()\none.close()\n", "one.close", "Team.close"),
        ("for one in Team.objects.exclude(a=1):\n    one.close()\n", "one.close", "Team.close"),
        ("one, made = Team.objects.get_or_create()\none.close()\n", "one.close", "Team.close"),
        ("Team._default_manager.last().close()\n", "Team._default_manager.last().close", "Team.close"),
        ("one = get_object_or_404(Team, pk=1)\none.close()\n", "one.close", "Team.close"),
        ("one = get_object_or_404(Team.objects.all(), pk=1)\none.close()\n", "one.close", "Team.close"),
        ("Player().team.close()\n", "Player().team.close", "Team.close"),
        ("Player().rival.close()\n", "Player().rival.close", "Player.close"),
        ("Player().home.close()\n", "Player().home.close", "Ground.close"),
        ("Player.objects.active().oldest()\n", "Player.objects.active().oldest", "PlayerSet.oldest"),
        ("Player.objects.active()\n", "Player.objects.active", "PlayerSet.active"),
        ("one = Player.objects.get()\none.close()\n", "one.close", "Player.close"),
        ("one = Coach.objects.first()\none.close()\n", "one.close", "Coach.close"),
        ("Coach.objects.licensed()\n", "Coach.objects.licensed", "CoachManager.licensed"),
        ("one = Mask.objects.create()\none.open()\n", "one.open", "Mask.open"),
        ("Mask.objects.filter(a=1).first().close()\n", "Mask.objects.filter(a=1).first().close", "Net.close"),
        (
            "@receiver(post_save, sender=Team)\ndef sent(sender, instance, **kw):\n    instance.close()\n",
            "instance.close",
            "Team.close",
        ),
        ("Scout.people.oldest()\n", "Scout.people.oldest", "PlayerSet.oldest"),
        ("one = Scout.people.get()\none.close()\n", "one.close", "Scout.close"),
    ],
)
def test_what_managers_and_relations_give_is_an_object_of_the_model(body, text, method):
    text = text or body.strip().removesuffix("()")

    assert targets(body, text) == [f"models.py:{method}"]


def test_methods_of_managers_themselves_are_outside():
    found = Linked(
        "python",
        (".py",),
        {"models.py": MODELS, "main.py": "from models import Team\nTeam.objects.filter(a=1)\n"},
    )

    said = found.call("main.py", "Team.objects.filter")

    assert (said.outcome, said.external_name) == ("external", "django.db.models.Manager.filter")


@pytest.mark.parametrize(
    ("line", "text", "method"),
    [
        ("self.get_object().close()", "self.get_object().close", "models.py:Team.close"),
        ("self.get_queryset().first().close()", "self.get_queryset().first().close", "models.py:Team.close"),
        ("self.get_serializer().show()", "self.get_serializer().show", "main.py:TeamSerializer.show"),
    ],
)
def test_views_go_by_the_models_and_serializers_that_they_name(line, text, method):
    body = f"""from rest_framework import serializers, viewsets
from models import Team
class Other:
    def show(self): ...
class TeamSerializer(serializers.ModelSerializer):
    def show(self): ...
class Teams(viewsets.ModelViewSet):
    queryset = Team.objects.all()
    serializer_class = TeamSerializer
    def act(self):
        {line}
"""
    found = Linked("python", (".py",), {"models.py": MODELS, "main.py": body})

    assert found.targets("main.py", text) == [method]
    assert found.call("main.py", text).reason != "unique-name"


def test_a_class_called_model_of_another_package_has_no_manager():
    body = "from keras import Model\nclass Net(Model):\n    def close(self): ...\nNet.objects.get().close()\n"
    found = Linked("python", (".py",), {"main.py": body, "other.py": "class A:\n    def close(self): ...\n"})

    assert found.call("main.py", "Net.objects.get().close").targets == ()


def test_a_manager_that_makes_an_object_saves_it():
    models = "from django.db import models\nclass Base(models.Model):\n    def save(self, *a): pass\n"
    models += "class Tag(Base): pass\nclass Plain(models.Model): pass\n"
    main = "from tags import Plain, Tag\ndef f():\n    Tag.objects.create(name=1)\n"
    main += "    Tag.objects.filter(x=1).get_or_create(name=1)\n    Plain.objects.create(x=1)\n"
    found = Linked("python", (".py",), {"tags.py": models, "main.py": main})

    assert found.targets("main.py", "Tag.objects.create") == ["tags.py:Base.save"]
    assert found.targets("main.py", "Tag.objects.filter(x=1).get_or_create") == ["tags.py:Base.save"]
    assert found.call("main.py", "Tag.objects.create").external_name == "django.db.models.Manager.create"
    assert found.targets("main.py", "Plain.objects.create") == []
