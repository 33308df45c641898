"""Laravel's models: queries, relations, scopes and attributes lead to the classes that declare them."""

import pytest
from typed_cases import Linked

MODELS = r"""<?php
namespace App\Models;
use Illuminate\Database\Eloquent\Model;
class Post extends Model {
  public function scopeActive($query) { $query->where('a', 1); }
  public function scopeOfType($query, $type) { return $query->active(); }
  public function comments() { return $this->hasMany(Comment::class); }
  public function author() { return $this->belongsTo(User::class); }
  public function publish() {}
  public function getTitleAttribute($value) { return $value; }
}
class Comment extends Model { public function approve() {} public function scopeRecent($query) {} }
class User extends Model { public function notify() {} public function publish() {} }
class Plain { public function active() {} public function scopeActive($query) {} }
"""


def linked(code: str) -> Linked:
    head = "<?php\nnamespace App;\nuse App\\Models\\Post;\nuse App\\Models\\Plain;\n"
    texts = {
        "composer.json": '{"require": {"laravel/framework": "^11"}}',
        "models.php": MODELS,
        "main.php": f"{head}function go(Post $post, Plain $plain) {{ {code} }}\n",
    }
    return Linked("php", (".php",), texts)


@pytest.mark.parametrize(
    ("code", "call", "meant"),
    [
        ("Post::active();", "Post::active", "Post.scopeActive"),
        ("Post::active()->ofType(1);", "Post::active()->ofType", "Post.scopeOfType"),
        ("Post::where('a', 1)->active();", "Post::where('a', 1)->active", "Post.scopeActive"),
        ("Post::find(1)->publish();", "Post::find(1)->publish", "Post.publish"),
        ("foreach (Post::all() as $one) { $one->publish(); }", "$one->publish", "Post.publish"),
        ("$post->comments()->recent();", "$post->comments()->recent", "Comment.scopeRecent"),
        ("foreach ($post->comments as $one) { $one->approve(); }", "$one->approve", "Comment.approve"),
        ("$post->author->publish();", "$post->author->publish", "User.publish"),
        ("$plain->active();", "$plain->active", "Plain.active"),
    ],
)
def test_what_a_model_gives_is_an_object_of_the_model(code, call, meant):
    assert linked(code).targets("main.php", call) == [f"models.php:{meant}"]


@pytest.mark.parametrize("code", ["Post::count()->publish();", "Plain::whatever()->publish();"])
def test_what_gives_no_model_is_none(code):
    found = linked(code)

    assert found.targets("main.php", code.removesuffix("();")) == []


def test_properties_of_a_model_run_relations_and_accessors():
    found = linked("return [$post->comments, $post->title, $post->publish_date, $plain->active];")

    run = [
        found.name(target.place) for _, said in found.links["main.php"].implicit for target in said.targets
    ]
    assert run == ["models.php:Post.comments", "models.php:Post.getTitleAttribute"]


@pytest.mark.parametrize("said", ["uses(TestCase::class);", "pest()->extend(TestCase::class);", ""])
def test_tests_outside_of_classes_are_given_an_object_of_the_class_that_is_said(said):
    texts = {
        "tests/TestCase.php": "<?php\nnamespace Tests;\nclass TestCase { function make() { return new Cart(); } }\nclass Cart { function total() {} }",
        "tests/CartTest.php": f"<?php\nuse Tests\\TestCase;\n{said}\ntest('x', function () {{ $one = $this->make(); $one->total(); }});",
    }
    found = Linked("php", (".php",), texts)

    assert found.targets("tests/CartTest.php", "$one->total") == ["tests/TestCase.php:Cart.total"]
