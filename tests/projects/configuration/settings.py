"""Reads of the environment and of settings in Python: the standard library, decouple, environ, pydantic, Django, Flask."""

import os

import environ
from decouple import config
from django.conf import settings
from pydantic_settings import BaseSettings

TOKEN_NAME = "SHOP_TOKEN"
env = environ.Env()

TOKEN = os.environ["SHOP_KEY"]
URL = os.environ.get("SHOP_URL", "http://localhost")
MODE = os.getenv("SHOP_MODE")
SECRET = os.getenv(TOKEN_NAME)
DEBUG = config("SHOP_DEBUG", default=False, cast=bool)
SALT = config("SHOP_SALT")
DATABASE = env.db("DATABASE_URL")
LEVEL = getattr(settings, "SHOP_LEVEL", 3)

if "CI" in os.environ:
    os.getenv(names.OTHER)


class ShopSettings(BaseSettings):
    url: str
    retries: int = 3
    key: str = Field(..., validation_alias="SHOP_API_KEY")


def limit(app):
    return app.config["SHOP_LIMIT"]
