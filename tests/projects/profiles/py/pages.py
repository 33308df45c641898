from flask import Flask, abort

site = Flask(__name__)


class PageError(Exception):
    pass


@site.route("/pages/<name>")
def page(name):
    if not name:
        raise PageError(name)
    try:
        return name.upper()
    except AttributeError as error:
        raise PageError(name)
