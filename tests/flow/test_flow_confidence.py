"""How sure a finding is: high only where nothing on the way speaks against it."""

import re

import pytest

from drift.flow import find_flows
from drift.flow.grading import grading
from drift.index import IndexReader
from drift.libraries import kinds
from drift.project import StateDir
from drift.scan import scan

PYTHON = """
import io, logging, os, zipfile
import jinja2, paramiko
from flask import Flask, make_response, redirect, request
from checks import fine
from places import Redirect
app = Flask(__name__)
logger = logging.getLogger(__name__)

@app.route("/plain")
def plain():
    return redirect(request.args.get("to"))  # high: plain

@app.route("/asked")
def asked():
    if fine(request.args.get("to")):
        return redirect(request.args.get("to"))  # low or medium: asked about
    return ""

@app.route("/other")
def other():
    if request.args.get("x") and fine(request.args.get("x")):
        app.logger.info("x")
    return redirect(request.args.get("to"))  # high: something else was asked about

@app.route("/heard")
def heard():
    name = request.args["name"]
    if name != app.name:
        app.logger.info("other")
    os.system(name)  # high: both answers go on

@app.route("/far")
def far():
    paramiko.SSHClient().exec_command(request.args["do"])  # medium: on another machine

@app.route("/agent")
def agent():
    return make_response("<p>" + request.headers["X-Name"])  # medium: header

@app.route("/part")
def part():
    return open("/srv/report-" + request.args["name"]).read()  # medium: part of a name

@app.route("/folder")
def folder():
    return open("/srv/" + request.args["name"]).read()  # high: in a folder

@app.route("/number/<int:number>")
def number(number):
    return make_response("<p>" + number)  # none: number

@app.route("/shape/<shape:shape>")
def shape(shape):
    return make_response("<p>" + shape)  # low: own converter

@app.route("/after/<int:number>")
def after(number, then="/"):
    return redirect(then)  # none: set where the route is

@app.route("/memory")
def memory():
    zipfile.ZipFile(io.BytesIO(request.files["f"].read()))  # none: memory

@app.route("/own")
def own():
    Redirect().to(request.args["to"])  # none: own class of such a name

@app.route("/long")
def long():
    first(request.args["x"])

def first(x):
    second(x)

def second(x):
    third(x)

def third(x):
    os.system(x)  # medium: long way

def say(secrets_dir, password):
    logger.warning(f"no {secrets_dir}")  # none: name of a folder
    logger.warning(f"no {password}")  # medium: only a name says that it is a secret

@app.route("/looked")
def looked():
    name = request.args["name"]
    if not store.find(name):
        return ""
    return open("/srv/" + name).read()  # medium: looked up before

@app.route("/questioned")
def questioned():
    name = request.args["name"]
    if not fine(name):
        app.logger.info("odd")
    os.system(name)  # medium: asked about, whatever the answer

@app.route("/posted")
def posted():
    return redirect(request.form["to"])  # medium: in a body

@app.route("/files/<name>")
def files(name):
    return open("/srv/" + name).read()  # medium: a part of the path

@app.route("/admin/logs")
def logs():
    return open("/srv/" + request.args["name"]).read()  # medium: for administrators

@app.route("/open/<name>", methods=["DELETE"])
def remove(name):
    return make_response("<p>" + request.args["name"])  # medium: no link sends it

@app.route("/went", methods=["POST"])
def went():
    return redirect(request.args["to"])  # medium: no link sends it

@app.route("/inside")
def inside():
    if not current_user.is_admin:
        return ""
    return open("/srv/" + request.args["name"]).read()  # medium: for administrators
"""
GO = """package main

import (
	"net/http"
	"os"
)

func look(w http.ResponseWriter, r *http.Request) {
	os.Stat(r.FormValue("n"))  // medium: only whether it is there
	os.ReadFile(r.FormValue("n"))  // high: what is in it
}

func main() {
	http.HandleFunc("/look", look)
}
"""

FILES = {
    "main.go": GO,
    "views.py": PYTHON,
    "plain.php": (
        "<?php\n"
        "echo '<p>' . $_GET['a'];  // high: page\n"
        "if (in_array($_GET['b'], ['x', 'y'])) { include \"pages/$_GET[b].php\"; }  // none: one of two\n"
        "echo '<a href=' . $_SERVER['HTTP_HOST'] . '>';  // medium: host\n"
        "echo '<p>' . $_SERVER['HTTP_CLIENT_IP'];  // medium: no link sets a header\n"
        "function own_clean($text) { return str_replace('x', 'y', $text); }\n"
        "function own_turned($text) { return str_replace('x', 'y', $text); }\n"
        "echo '<p>' . own_clean($_GET['c']);  // medium: its name says that it cleans\n"
        "echo '<p>' . own_turned($_GET['d']);  // high: its name says nothing\n"
    ),
    "known.php": (
        "<?php\n"
        "$name = $_GET['a'];\n"
        "if (empty($known[$name])) { exit; }\n"
        'include "plugins/" . $name;  // medium: a table has such a key\n'
        "include \"plugins/\" . $_GET['b'];  // high: nothing asks\n"
    ),
    "included.php": "<?php\ndefined('APP') or die('no');\necho '<p>' . $_GET['a'];  // medium: run by others\n",
    "install/index.php": "<?php\ninclude $_GET['step'];  // medium: until it is set up\n",
    "crypto.py": (
        "from Crypto.Cipher import DES\n\n"
        "def seal(key, text):\n    return DES.new(key).encrypt(text)  # high: weak\n\n"
        "def told(key, text):\n    # The device knows no other.\n    return DES.new(key).encrypt(text)  # medium: told why\n\n"
        "def said(key, text):\n    # Seal it.\n    return DES.new(key).encrypt(text)  # high: told what, not why\n\n"
        "def decrypt_old(key, text):\n    return DES.new(key).decrypt(text)  # medium: made by others\n"
    ),
    "net.js": (
        "const https = require('https'); const _ = require('lodash');\n"
        "function a(given) { _.defaults(this, given, { rejectUnauthorized: false }); }  // medium: a default\n"
        "function b() { https.request({ rejectUnauthorized: false }); }  // high: off\n"
    ),
    "Web.java": (
        "import javax.servlet.http.*;\nimport java.util.regex.Pattern;\nclass Web extends HttpServlet {\n"
        "  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {\n"
        '    String name = request.getParameter("a");\n'
        '    Pattern known = Pattern.compile(System.getenv("KNOWN"));\n'
        "    if (known.matcher(name).matches()) {\n"
        "      response.getWriter().write(name);  // medium or low: a pattern is asked\n    }\n"
        '    response.getWriter().write(request.getParameter("b"));  // high: nothing is asked\n  }\n'
        "  void removeCookie(Cookie cookie) { cookie.setSecure(false); }  // medium: taken away\n"
        "  void keepCookie(Cookie cookie) { cookie.setSecure(false); }  // high: kept\n}\n"
    ),
    "Net.java": (
        "import javax.net.ssl.SSLContext;\nclass Net {\n"
        '  void a() throws Exception { SSLContext.getInstance("SSLv3"); }  // high: an old protocol\n'
        '  void b() throws Exception { SSLContext.getInstance("SSL"); }  // medium: the platform chooses\n}\n'
    ),
    "net.rb": (
        "def start_ssl(http)\n  http.verify_mode = OpenSSL::SSL::VERIFY_NONE  # high or medium: named after what it does\nend\n"
        "def build(value)\n  { verify_mode: value.off? ? OpenSSL::SSL::VERIFY_NONE : nil }  # medium: a condition chooses it\nend\n"
        "def disable_ssl(http)\n  http.verify_mode = OpenSSL::SSL::VERIFY_NONE  # low: asked for\nend\n"
    ),
    "checks.py": "def fine(text):\n    return text in open('/srv/fine').read().split()\n",
    "places.py": "class Redirect:\n    def to(self, url):\n        return url.strip()\n",
    "app.js": (
        "const express = require('express'); const app = express();\n"
        "app.get('/a', (req, res) => { res.send({ name: req.query.name }); });  // none: JSON\n"
        "app.get('/b', (req, res) => { res.send('<p>' + req.query.name); });  // high: page\n"
        "app.get('/c', (req, res) => { res.send('<p>' + req.originalUrl); });  // medium: encoded address\n"
        "app.get('/d', (req, res) => { res.send('<p>' + decodeURIComponent(req.originalUrl)); });  // high: decoded\n"
        "app.get('/f', (req, res) => { res.redirect(new URL(req.url).searchParams.get('to')); });  // high: parameter\n"
        "app.get('/g', (req, res) => { res.redirect(req.url + '/'); });  // none: this site\n"
        "top.location = self.location;  // none or medium: this page\n"
        "app.get('/e', (req, res) => new Promise((resolve) => resolve(req.query.name)));  // none: no module\n"
    ),
}


def test_a_function_of_another_file_is_told_where_it_stands(tmp_path):
    (tmp_path / "words.js").write_text(
        "function Words() {\n  this.run = (req, res) => {\n    eval(req.body.text);\n  };\n}\nmodule.exports = Words;\n"
    )
    (tmp_path / "index.js").write_text(
        "const app = require('express')();\nconst Words = require('./words');\n"
        "const words = new Words();\napp.post('/run', words.run);\n"
    )
    scan(tmp_path)

    with IndexReader(StateDir(tmp_path).index_db) as reader, reader.snapshot():
        flows = find_flows(reader, tmp_path, StateDir(tmp_path))

    assert {(flows.paths[each.file], each.line) for each in flows.findings} == {("words.js", 3)}


def test_a_function_that_only_throws_is_known_by_its_name(tmp_path):
    (tmp_path / "Web.cs").write_text(
        "namespace System.Web {\n"
        "public class HttpContext { public HttpRequest Request { get => throw null; }\n"
        "  public HttpResponse Response { get => throw null; } }\n"
        "public class HttpResponse { public void Redirect(string url) => throw null; }\n}\n"
    )
    (tmp_path / "Page.cs").write_text(
        "using System.Web;\npublic class Page : IHttpHandler {\n  public void ProcessRequest(HttpContext ctx) {\n"
        '    ctx.Response.Redirect(ctx.Request.QueryString["page"]);\n  }\n}\n'
    )
    scan(tmp_path)

    with IndexReader(StateDir(tmp_path).index_db) as reader, reader.snapshot():
        flows = find_flows(reader, tmp_path, StateDir(tmp_path))

    assert {(each.kind.name, flows.paths[each.file], each.line) for each in flows.findings} == {
        ("redirect", "Page.cs", 4)
    }


@pytest.fixture(scope="module")
def levels(tmp_path_factory):
    """The confidence of what was found in each line."""
    root = tmp_path_factory.mktemp("confidence")
    for path, text in FILES.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(MARK.sub("", text))  # a remark beside something weak says why
    scan(root)
    with IndexReader(StateDir(root).index_db) as reader, reader.snapshot():
        flows = find_flows(reader, root, StateDir(root))
    order = ["low", "medium", "high"]
    findings = sorted(flows.findings, key=lambda each: order.index(each.confidence))
    return {(flows.paths[each.file], each.line): each.confidence for each in findings}


MARK = re.compile(r"  (?:#|//) (?:high|medium|low|none)\b.*")
WANTED = [
    (path, number, line.split("# " if path.endswith(("py", "rb")) else "// ")[-1])
    for path, text in FILES.items()
    for number, line in enumerate(text.splitlines(), 1)
    if MARK.search(line)
]


@pytest.mark.parametrize(("path", "line", "told"), WANTED)
def test_a_finding_is_as_sure_as_its_way_allows(levels, path, line, told):
    wanted = told.partition(":")[0]

    assert levels.get((path, line), "none") in wanted.split(" or ")


def test_every_rule_speaks_of_kinds_and_facts_that_exist():
    told = grading()
    of_entries = {
        "administrators",
        "included",
        "installer",
        "not-by-link",
        "posted",
        "decrypts",
        "takes-away",
        "chosen",
        "default",
        "explained",
        "always",
    }
    of_ways = {"asked", "looked-up", "part-of-name", "calls-2", "calls-3"}

    for rule in told.rules:
        assert rule.kinds <= kinds().keys()
        assert rule.fact in of_entries | of_ways | told.sources.keys()
        assert rule.reason
