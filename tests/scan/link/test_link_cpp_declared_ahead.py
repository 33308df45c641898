"""Members of classes that a header only declares ahead: `class Engine;`, and the hidden part of a class."""

from typed_cases import Linked

ENGINE = """class Engine { public: void start() {} };
class Other { public: void start() {} void paint() {} };
namespace deep { class Engine { public: void start() {} }; }
"""
WIDGET = """#include <memory>
class Engine;
namespace deep { class Engine; class Box { Engine* own_; void go(); }; }
class Widget { void draw(); void hide(Engine* given); struct Impl; std::unique_ptr<Impl> impl_; Engine* engine_; };
"""
DRAWN = """#include "widget.h"
#include "engine.h"
struct Widget::Impl { void paint() {} };
void Widget::draw() { engine_->start(); impl_->paint(); }
void deep::Box::go() { own_->start(); }
"""
USER = """#include "widget.h"
Engine* make();
void use(Engine* given) { given->start(); make()->start(); }
"""


def linked() -> Linked:
    texts = {
        "engine.h": ENGINE,
        "widget.h": WIDGET,
        "widget.cpp": DRAWN,
        "user.cpp": USER,
    }
    return Linked("cpp", (".h", ".cpp"), texts)


def test_a_member_of_a_class_that_is_only_declared_ahead_is_found():
    found = linked()

    assert found.targets("widget.cpp", "engine_->start") == ["engine.h:Engine.start"]
    assert found.targets("user.cpp", "given->start") == ["engine.h:Engine.start"]
    assert found.targets("user.cpp", "make()->start") == ["engine.h:Engine.start"]


def test_a_class_of_the_namespace_around_comes_first():
    assert linked().targets("widget.cpp", "own_->start") == ["engine.h:deep.Engine.start"]


def test_the_hidden_part_of_a_class_is_found_where_it_is_defined():
    assert linked().targets("widget.cpp", "impl_->paint") == ["widget.cpp:Impl.paint"]
