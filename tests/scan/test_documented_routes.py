"""Routes that documents tell: prefixes before what a folder says of itself, and paths with their controllers."""

import pytest

from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

CONTROLLER = (
    "<?php\nnamespace {space};\nuse Symfony\\Component\\Routing\\Attribute\\Route;\n#[Route(name: 'shop_')]\n"
    "class {name} {{\n    #[Route('/{path}', name: 'x', methods: ['GET'])]\n    public function show() {{}}\n"
    "    public function __invoke() {{}}\n}}\n"
)
BUNDLE = "<?php\nnamespace Acme\\ShopBundle;\nclass AcmeShopBundle extends Bundle {}\n"
FILES = {
    "src/Controller/CartController.php": ("App\\Controller", "CartController", "carts"),
    "src/Controller/Auth/LoginController.php": ("App\\Controller\\Auth", "LoginController", "login"),
    "src/Api/TagController.php": ("App\\Api", "TagController", "tags"),
    "src/Other/PlainController.php": ("App\\Other", "PlainController", "plain"),
    "lib/shop/Controller/BillController.php": ("Acme\\ShopBundle\\Controller", "BillController", "bills"),
}
ROUTES = """\
controllers:
    resource: ../src/Controller/
    type: attribute
    prefix: /{_locale}
auth:
    resource: ../src/Controller/Auth/
    type: attribute
    prefix: /auth
api:
    resource: '%kernel.project_dir%/src/{Api,Rest}'
    prefix: api
home:
    path: /home
    controller: App\\Controller\\CartController
    methods: [GET, POST]
unknown:
    path: /gone
    controller: App\\Controller\\GoneController::show
shop:
    resource: '@AcmeShopBundle/Resources/config/routing.yml'
    prefix: /shop
"""
BUNDLE_ROUTES = """\
bills:
    resource: '../../Controller/'
    prefix: /admin
one:
    path: /one/{id}
    defaults: { _controller: 'Acme\\ShopBundle\\Controller\\BillController:show' }
"""


@pytest.fixture
def project(tmp_path):
    texts = {
        path: CONTROLLER.format(space=space, name=name, path=said)
        for path, (space, name, said) in FILES.items()
    }
    texts["lib/shop/AcmeShopBundle.php"] = BUNDLE
    texts["config/routes.yaml"] = ROUTES
    texts["lib/shop/Resources/config/routing.yml"] = BUNDLE_ROUTES
    for path, text in texts.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def routes(root):
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as reader:
        return sorted(
            (one.detail, one.symbol.qualname) for one in reader.facts.entry_points("http", limit=100)
        )


def test_a_route_has_the_prefix_that_a_document_gives_its_folder_and_one_that_it_names_is_a_route_too(
    project,
):
    assert routes(project) == [
        ("ANY /shop/one/{id}", "BillController.show"),
        ("GET /api/tags", "TagController.show"),
        ("GET /auth/login", "LoginController.show"),
        ("GET /plain", "PlainController.show"),
        ("GET /shop/admin/bills", "BillController.show"),
        ("GET /{_locale}/carts", "CartController.show"),
        ("GET,POST /home", "CartController.__invoke"),
    ]


def test_a_changed_document_changes_the_routes_it_tells_and_those_it_takes_in(project):
    before = routes(project)
    (project / "config/routes.yaml").write_text(
        ROUTES.replace("/auth", "/sign-in").replace("/home", "/start")
    )

    after = routes(project)

    assert set(after) - set(before) == {
        ("GET /sign-in/login", "LoginController.show"),
        ("GET,POST /start", "CartController.__invoke"),
    }
    (project / "config/routes.yaml").unlink()
    assert ("GET /carts", "CartController.show") in routes(project)
    assert not any("/start" in detail for detail, _ in routes(project))


def test_documents_that_take_in_each_other_end(project):
    text = (
        "a:\n    resource: ./routes.yaml\n    prefix: /a\nb:\n    resource: ./routes/b.yaml\n    prefix: /b\n"
    )
    (project / "config/routes").mkdir()
    (project / "config/routes.yaml").write_text(text)
    (project / "config/routes/b.yaml").write_text("c:\n    resource: ../routes.yaml\n    prefix: /c\n")

    assert ("GET /carts", "CartController.show") in routes(project)
