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


MADE = {
    "composer.json": '{"require": {"laravel/framework": "^11"}, "autoload": {"psr-4": {"App\\\\": "app/"}}}',
    "models.php": r"""<?php
namespace App\Models;
use Illuminate\Database\Eloquent\Model;
class User extends \Illuminate\Foundation\Auth\User { public function isAdmin() {} }
class Order extends Model { public function pay() {}
  protected static function newFactory() { return \Database\Made\Orders::new(); } }
class Plain extends Model { public function admin() {} }
class PlainFactory { public function admin() {} }
""",
    "factories.php": r"""<?php
namespace Database\Made;
use Illuminate\Database\Eloquent\Factories\Factory;
class UserFactory extends Factory { public function admin() { return $this->state(fn () => []); } }
class Orders extends Factory { public function paid(): static { return $this->afterMaking(fn () => 1); } }
""",
}


@pytest.mark.parametrize(
    ("code", "call", "meant"),
    [
        ("User::factory()->admin();", "User::factory()->admin", ["factories.php:UserFactory.admin"]),
        (
            "User::factory()->count(2)->admin();",
            "User::factory()->count(2)->admin",
            ["factories.php:UserFactory.admin"],
        ),
        (
            "$u = User::factory()->admin()->create(); $u->isAdmin();",
            "$u->isAdmin",
            ["models.php:User.isAdmin"],
        ),
        ("Order::factory()->paid();", "Order::factory()->paid", ["factories.php:Orders.paid"]),
        ("auth()->user()->isAdmin();", "auth()->user()->isAdmin", ["models.php:User.isAdmin"]),
        ("Auth::user()->isAdmin();", "Auth::user()->isAdmin", ["models.php:User.isAdmin"]),
        ("$request->user()->isAdmin();", "$request->user()->isAdmin", ["models.php:User.isAdmin"]),
        ("$request->session()->isAdmin();", "$request->session()->isAdmin", []),
        # What is called so and is no factory is none.
        ("Plain::factory()->admin();", "Plain::factory()->admin", ["models.php:Plain.admin"]),
    ],
)
def test_what_laravel_makes_by_the_name_of_a_class_is_an_object_of_that(code, call, meant):
    head = (
        "<?php\nnamespace App;\nuse App\\Models\\{Order, Plain, User};\nuse Illuminate\\Http\\Request;\n"
        "use Illuminate\\Support\\Facades\\Auth;\n"
    )
    found = Linked(
        "php", (".php",), MADE | {"main.php": f"{head}function go(Request $request) {{ {code} }}\n"}
    )

    assert found.targets("main.php", call) == meant


def test_the_aliases_of_an_application_mean_its_classes_where_no_namespace_is():
    files = {
        "composer.json": '{"require": {"laravel/framework": "^11"}, "autoload": {"psr-4": {"App\\\\": "app/"}}}',
        "config/app.php": r"""<?php
use App\Support\Icons;
return ['name' => 'Money', 'aliases' => Facade::defaultAliases()->merge([
    'Carbon' => Carbon\Carbon::class,
    'Money' => App\Support\Money::class,
    'Icon' => Icons::class,
])->toArray()];
""",
        "app/Money.php": "<?php\nnamespace App\\Support;\nclass Money { static function show() {} }\n"
        "class Icons { static function draw() {} }\nclass Icon { static function draw() {} }\n",
        "page.blade.php": "<p>{{ Money::show(1) }} {{ Icon::draw(2) }} {{ Carbon::now() }}</p>\n",
        "app/Uses.php": "<?php\nnamespace App;\nuse Money;\nfunction f() { Money::show(3); }\n",
    }
    found = Linked("php", (".php",), files)

    assert found.targets("page.blade.php", "Money::show") == ["app/Money.php:Money.show"]
    assert found.targets("page.blade.php", "Icon::draw") == ["app/Money.php:Icons.draw"]
    assert found.targets("page.blade.php", "Carbon::now") == []
    assert found.targets("app/Uses.php", "Money::show") == ["app/Money.php:Money.show"]
