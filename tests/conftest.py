"""Property tests here check results, never speed: the machines that run them are shared."""

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
