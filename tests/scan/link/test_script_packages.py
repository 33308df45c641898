"""Names that configuration maps to files: tsconfig paths, workspaces, package exports."""

import json

import pytest
from script_cases import ScriptProject

RUN = "export function run() {}\n"


def lead(texts: dict[str, str], path: str, module: str) -> str | None:
    """Where one import of a file leads, in a project of these files."""
    return ScriptProject({**texts, path: f"import {{run}} from '{module}';"}).imports(path)[module]


def config(**options: object) -> str:
    return json.dumps({"compilerOptions": options})


def test_paths_of_the_nearest_configuration_are_followed_with_comments_and_commas():
    texts = {
        "tsconfig.json": config(paths={"@/*": ["./wrong/*"]}),
        "app/tsconfig.json": '{ // why\n "compilerOptions": { /* "x" */ "paths": { "@/*": ["./src/*",], }, }, }',
        "app/src/api/client.ts": RUN,
        "wrong/api/client.ts": RUN,
    }

    assert lead(texts, "app/src/main.ts", "@/api/client") == "app/src/api/client.ts"


def test_an_exact_pattern_and_the_longest_prefix_win():
    texts = {
        "tsconfig.json": config(
            baseUrl=".", paths={"*": ["any/*"], "lib/*": ["libs/*"], "lib/deep/*": ["deep/*"], "lib": ["one.ts"]}
        ),
        "any/lib/x.ts": RUN, "libs/x.ts": RUN, "deep/x.ts": RUN, "one.ts": RUN,
    }  # fmt: skip

    assert lead(texts, "main.ts", "lib") == "one.ts"
    assert lead(texts, "main.ts", "lib/x") == "libs/x.ts"
    assert lead(texts, "main.ts", "lib/deep/x") == "deep/x.ts"


def test_base_url_and_paths_are_inherited_and_relative_to_where_they_stand():
    texts = {
        "configs/one.json": config(baseUrl="../src"),
        "configs/two.json": json.dumps(
            {"extends": "./one", "compilerOptions": {"paths": {"~/*": ["app/*"]}}}
        ),
        "packages/a/tsconfig.json": json.dumps({"extends": ["../../configs/two.json"]}),
        "src/app/x.ts": RUN,
        "src/direct.ts": RUN,
    }

    assert lead(texts, "packages/a/main.ts", "~/x") == "src/app/x.ts"
    assert lead(texts, "packages/a/main.ts", "direct") == "src/direct.ts"
    assert lead(texts, "packages/a/main.ts", "react") == "package react"


def test_a_configuration_that_only_refers_to_others_has_their_paths():
    texts = {
        "tsconfig.json": json.dumps({"files": [], "references": [{"path": "./tsconfig.app.json"}]}),
        "tsconfig.app.json": config(paths={"@/*": ["./src/*"]}),
        "src/x.ts": RUN,
    }

    assert lead(texts, "src/main.ts", "@/x") == "src/x.ts"


def test_a_configuration_has_the_paths_of_those_it_refers_to_beside_its_own():
    texts = {
        "tsconfig.base.json": config(paths={"@shop/*": ["./libs/*"]}),
        "apps/web/tsconfig.json": json.dumps(
            {"extends": "../../tsconfig.base.json", "references": [{"path": "./tsconfig.app.json"}]}
        ),
        "apps/web/tsconfig.app.json": config(paths={"@/*": ["./src/*"]}),
        "apps/web/src/x.ts": RUN,
        "libs/y.ts": RUN,
        "libs/z.ts": RUN,
    }

    assert lead(texts, "apps/web/src/main.ts", "@/x") == "apps/web/src/x.ts"
    assert lead(texts, "apps/web/src/main.ts", "@shop/y") == "libs/y.ts"
    assert lead(texts, "libs/z.ts", "@shop/y") == "libs/y.ts"


def test_configurations_that_extend_each_other_end():
    texts = {
        "tsconfig.json": json.dumps({"extends": ["./other.json"] * 50}),
        "other.json": json.dumps({"extends": ["./tsconfig.json"] * 50}),
    }

    assert lead(texts, "main.ts", "@scope/x") == "package @scope/x"


@pytest.mark.parametrize(
    "workspace",
    [
        {"package.json": '{"workspaces": ["packages/*"]}'},
        {"package.json": '{"workspaces": {"packages": ["./packages/**/"]}}'},
        {
            "pnpm-workspace.yaml": "# ours\npackages:\n  - 'packages/*'  # all\n  - \"!packages/no\"\ncatalog:\n  - x\n"
        },
        {"lerna.json": '{"packages": ["packages/*"]}'},
    ],
)
def test_a_package_of_the_workspace_is_its_source(workspace):
    texts = {
        **workspace,
        "packages/ui/package.json": '{"name": "@it/ui", "main": "dist/index.js"}',
        "packages/ui/src/index.ts": RUN,
        "packages/ui/src/button.ts": RUN,
        "apps/web/package.json": '{"name": "web"}',
    }

    assert lead(texts, "apps/web/main.ts", "@it/ui") == "packages/ui/src/index.ts"
    assert lead(texts, "apps/web/main.ts", "@it/ui/button") == "packages/ui/src/button.ts"
    assert lead(texts, "apps/web/main.ts", "@it/other") == "package @it/other"


def test_a_package_outside_every_workspace_is_known_only_to_itself():
    texts = {"examples/react/package.json": '{"name": "react"}', "examples/react/index.ts": RUN}

    assert lead(texts, "src/main.ts", "react") == "package react"
    assert lead(texts, "examples/react/test.ts", "react") == "examples/react/index.ts"


@pytest.mark.parametrize(
    ("subpath", "file"),
    [
        ("", "p/src/main.ts"),
        ("/feature", "p/src/features/feature.ts"),
        ("/icons/add", "p/src/icons/add.ts"),
        ("/plain", "p/plain.js"),
        ("/none", "no source of it/none is evident in p"),
    ],
)
def test_exports_are_mapped_back_to_sources(subpath, file):
    exports = {
        ".": {"types": "./dist/main.d.ts", "import": {"default": "./dist/esm/main.mjs"}},
        "./feature": "./dist/features/feature.js",
        "./icons/*": ["./dist/icons/*.js"],
        "./plain": {"require": "./plain.js"},
    }
    texts = {
        "package.json": '{"workspaces": ["p"]}',
        "p/package.json": json.dumps({"name": "it", "exports": exports}),
        "p/src/main.ts": RUN, "p/src/features/feature.ts": RUN, "p/src/icons/add.ts": RUN, "p/plain.js": RUN,
    }  # fmt: skip

    assert lead(texts, "app.ts", f"it{subpath}") == file


def test_private_imports_of_a_package_are_followed():
    texts = {
        "package.json": json.dumps(
            {"name": "it", "imports": {"#db": "./src/db.ts", "#lib/*": "./src/lib/*.js"}}
        ),
        "src/db.ts": RUN,
        "src/lib/a.ts": RUN,
    }

    assert lead(texts, "src/main.ts", "#db") == "src/db.ts"
    assert lead(texts, "src/main.ts", "#lib/a") == "src/lib/a.ts"


def test_exports_that_lead_out_of_the_package_are_not_followed():
    texts = {
        "package.json": '{"workspaces": ["p"]}',
        "p/package.json": json.dumps({"name": "it", "exports": "../../secret.ts"}),
        "p/x.ts": RUN,
        "secret.ts": RUN,
    }

    assert lead(texts, "app.ts", "it") == "no source of it is evident in p"


def test_an_example_with_a_package_of_its_own_means_the_package_around_it_by_name():
    project = ScriptProject(
        {
            "package.json": '{"name": "server", "main": "lib/index.js"}',
            "lib/index.js": "exports.listen = function listen() {}\n",
            "examples/todo/package.json": '{"name": "todo", "dependencies": {"server": "*"}}',
            "examples/todo/main.js": "const server = require('server')\nconst other = require('others')\n",
        }
    )

    assert project.imports("examples/todo/main.js") == {
        "server": "lib/index.js",
        "others": "package others",
    }


@pytest.mark.parametrize(
    ("module", "place"),
    [
        ("@/api/client", "web/src/api/client.ts"),
        ("~/api/client", "web/src/api/client.ts"),
        ("~~/root", "web/root.js"),
        ("$lib/Cart.svelte", "web/src/lib/Cart.svelte"),
        ("@/components/Cart", "web/app/components/Cart.vue"),
        ("@/nowhere", "the project has no module @/nowhere"),
    ],
)
def test_short_names_that_bundlers_have_are_followed_without_a_configuration(module, place):
    texts = {
        "web/package.json": "{}",
        "web/src/api/client.ts": RUN,
        "web/root.js": RUN,
        "web/src/lib/Cart.svelte": "<script></script>",
        "web/app/components/Cart.vue": "<script></script>",
        "src/api/client.ts": RUN,
    }

    assert lead(texts, "web/src/deep/main.ts", module) == place


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("vite.config.ts", 'export default defineConfig({ resolve: { alias: { shared: path.resolve("./src/shared"), vue: "vue/dist/vue" } } })'),
        ("vite.config.mjs", "const resolve = { alias: [{ find: 'shared', replacement: path.resolve(__dirname, 'src', 'shared') }] }"),
        ("webpack.config.js", "module.exports = { resolve: { alias: {\n  // 'shared': './old',\n  'shared': __dirname + '/src/shared' } } }"),
        ("webpack.mix.js", "mix.alias({ shared: path.join(__dirname, 'src/shared') })"),
        ("svelte.config.js", 'export default { kit: { alias: { "shared/": "./src/shared/" } } }'),
        ("vite.config.js", 'x({ alias: { shared: fileURLToPath(new URL("./src/shared", import.meta.url)) } })'),
    ],
)  # fmt: skip
def test_a_bundler_names_folders(name, text):
    texts = {f"app/{name}": text, "app/package.json": "{}", "app/src/shared/carts.ts": RUN}

    assert lead(texts, "app/src/main.ts", "shared/carts") == "app/src/shared/carts.ts"
    assert lead(texts, "app/src/main.ts", "sharedby/carts") == "package sharedby"
    assert lead(texts, "app/src/main.ts", "vue") == "package vue"


def test_what_a_bundler_computes_and_what_lies_outside_names_nothing():
    text = 'export default { resolve: { alias: { shared: folders.shared, other: path.resolve("../../outside") } } }'
    texts = {"vite.config.ts": text, "shared/carts.ts": RUN, "outside/carts.ts": RUN}

    assert lead(texts, "main.ts", "other/carts") == "package other"
    assert lead(texts, "main.ts", "shared/carts") == "package shared"
