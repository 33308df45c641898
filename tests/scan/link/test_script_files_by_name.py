"""Files that a framework finds by a name: actions, helpers and policies of Sails."""

from script_cases import ScriptProject

FILES = {
    "server/config/routes.js": (
        "module.exports.routes = {\n  'POST /api/cards/:id/duplicate': 'cards/duplicate',\n"
        "  '/*': { action: 'index', skipAssets: true },\n  'GET /old': 'CardController.old',\n"
        "  '/any': { view: 'x' },\n};\n"
    ),
    "server/config/policies.js": (
        "module.exports.policies = { '*': ['is-authenticated'], 'cards/show': true, 'cards/delete': 'is-admin' };\n"
    ),
    "server/api/policies/is-authenticated.js": "module.exports = function isAuthenticated(req, res, proceed) {};\n",
    "server/api/policies/is-admin.js": "module.exports = async function isAdmin(req, res, proceed) {};\n",
    "server/api/controllers/cards/duplicate.js": (
        "module.exports = { inputs: {}, async fn(inputs) {\n"
        "  await sails.helpers.cards.duplicateOne.with({ id: 1 }).intercept('e', () => 1);\n"
        "  sails.helpers.customFieldGroups.removeAll(inputs.id);\n"
        "  sails.helpers.passwords.hashPassword('x'); sails.log(1);\n} };\n"
    ),
    "server/api/controllers/index.js": "module.exports = { fn() {} };\n",
    "server/api/helpers/cards/duplicate-one.js": "module.exports = { async fn(inputs) {} };\n",
    "server/api/helpers/custom-field-groups/remove-all.js": "module.exports = { async fn(inputs) {} };\n",
    "client/src/view.js": "export function view(sails) { sails.helpers.cards.duplicateOne() }\n",
}


def test_a_chain_of_names_leads_to_the_function_of_the_file_that_it_names():
    assert ScriptProject(FILES).calls() == {
        "server/api/controllers/cards/duplicate.js:fn -> server/api/helpers/cards/duplicate-one.js:fn",
        "server/api/controllers/cards/duplicate.js:fn -> server/api/helpers/custom-field-groups/remove-all.js:fn",
    }


def test_a_table_of_routes_leads_to_the_actions_that_it_names():
    project = ScriptProject(FILES)
    path = "server/config/routes.js"

    assert [one.detail for one in project.facts[path].entry_points] == [
        "POST /api/cards/:id/duplicate",
        "ALL /*",
    ]
    assert set(project.imports(path).values()) == {
        "server/api/controllers/cards/duplicate.js",
        "server/api/controllers/index.js",
    }


def test_a_list_of_policies_uses_the_functions_that_it_names():
    assert ScriptProject(FILES).references("server/config/policies.js") == {
        (1, "server/api/policies/is-admin.js:isAdmin"),
        (1, "server/api/policies/is-authenticated.js:isAuthenticated"),
    }
