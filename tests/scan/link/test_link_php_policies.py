"""Who answers whether a user may do something in Laravel: policies by the names of models, and gates."""

import pytest
from typed_cases import Linked

FILES = {
    "app/Models/Post.php": "<?php\nnamespace App\\Models;\nclass Post { public function save() {} }\nclass Comment {}\n",
    "app/Policies/PostPolicy.php": (
        "<?php\nnamespace App\\Policies;\nclass PostPolicy {\n  public function before($user) {}\n"
        "  public function update($user, $post) {}\n  public function viewAny($user) {}\n  public function forceDelete($user) {}\n}\n"
        "class CommentPolicy { public function update($user, $comment) {} }\n"
    ),
    "app/Providers/Auth.php": (
        "<?php\nnamespace App\\Providers;\nuse App\\Policies\\CommentPolicy;\nuse Illuminate\\Support\\Facades\\Gate;\n"
        "class Auth {\n  function boot() {\n    Gate::define('see-reports', fn ($user) => $this->sees($user));\n"
        "    Gate::define('moderate', [CommentPolicy::class, 'update']);\n  }\n  function sees($user) {}\n}\n"
    ),
}
CONTROLLER = (
    "<?php\nnamespace App\\Http\\Controllers;\nuse App\\Models\\Post;\nuse Illuminate\\Support\\Facades\\Gate;\n"
    "class Posts extends Controller { function edit(Post $post, $user) { %s; } }\n"
)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("$this->authorize('update', $post)", {"PostPolicy.before", "PostPolicy.update"}),
        ("Gate::authorize('force-delete', $post)", {"PostPolicy.before", "PostPolicy.forceDelete"}),
        ("$user->can('viewAny', Post::class)", {"PostPolicy.before", "PostPolicy.viewAny"}),
        ("Gate::forUser($user)->allows('update', [$post, 1])", {"PostPolicy.before", "PostPolicy.update"}),
        (
            "$this->authorizeResource(Post::class, 'post')",
            {"PostPolicy.before", "PostPolicy.update", "PostPolicy.viewAny"},
        ),
        ("Gate::allows('see-reports')", {"Auth.boot.{closure}"}),
        ("Gate::denies('moderate', $user)", {"CommentPolicy.update"}),
        ("$this->authorize('update', $user)", set()),
        ("$post->can($user)", set()),
    ],
)
def test_who_asks_for_an_ability_runs_what_answers_for_it(statement, expected):
    path = "app/Http/Controllers/Posts.php"
    linked = Linked("php", (".php",), {**FILES, path: CONTROLLER % statement})

    found = {
        linked.name(target.place).rpartition(":")[2]
        for _, link in linked.links[path].implicit
        for target in link.targets
    }

    assert found == expected
