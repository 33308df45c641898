"""Which code Ruby means where a framework runs it: blocks of macros, mailers, finders, factories and helpers of tests."""

from typed_cases import Linked


def linked(**files: str) -> Linked:
    texts = {f"{name.replace('__', '/')}.rb": text for name, text in files.items()}
    return Linked("ruby", (".rb",), texts)


SERVER = """class Server < ActiveRecord::Base
after_create do
set_up
end
included do
Server.all
end
validates :name, if: -> { needs_name? }
scope :present, -> { where(gone: nil) }
def set_up = 1
def needs_name? = 1
def self.macro = 1
end"""


def test_objects_run_the_blocks_and_lambdas_that_a_class_hands_to_a_macro():
    found = linked(server=SERVER)

    assert found.targets("server.rb", "set_up") == ["server.rb:Server.set_up"]
    assert found.targets("server.rb", "needs_name?") == ["server.rb:Server.needs_name?"]


def test_the_class_itself_runs_the_block_of_a_concern_and_what_it_goes_through():
    found = linked(a="class A < Outside\ndef self.go = 1\ndef go = 2\nwith_options(x: 1) do\ngo\nend\nend")

    (said,) = [
        each
        for call, each in zip(found.facts["a.rb"].calls, found.links["a.rb"].calls, strict=True)
        if call.text == "go"
    ]
    (target,) = said.targets
    assert "classmethod" in found.facts["a.rb"].symbols[target.place.symbol].modifiers


def test_a_finder_by_any_column_gives_one_record():
    found = linked(
        server=SERVER,
        b="def f\nServer.find_by_token!(1).set_up\nServer.present.find_by_id(2).needs_name?\nend",
    )

    assert found.targets("b.rb", "Server.find_by_token!(1).set_up") == ["server.rb:Server.set_up"]
    assert found.targets("b.rb", "Server.present.find_by_id(2).needs_name?") == [
        "server.rb:Server.needs_name?"
    ]


def test_a_mailer_runs_its_methods_for_what_its_class_is_asked_for():
    found = linked(
        a="class AppMailer < ActionMailer::Base\ndef gone(x) = 1\nend",
        b="AppMailer.gone(1).deliver",
    )

    assert found.targets("b.rb", "AppMailer.gone") == ["a.rb:AppMailer.gone"]


def test_factories_and_fixtures_give_objects_of_the_model_they_are_named_after():
    found = linked(
        server=SERVER,
        spec__a="describe Server do\nlet(:one) { create(:server) }\nit 'x' do\none.reload.set_up\nservers(:first).needs_name?\nend\nend",
        b="def create(x) = 1\ndef f\ncreate(:server).set_up\nend",
    )

    assert found.targets("spec/a.rb", "one.reload.set_up") == ["server.rb:Server.set_up"]
    assert found.targets("spec/a.rb", "servers(:first).needs_name?") == ["server.rb:Server.needs_name?"]
    assert found.targets("b.rb", "create(:server).set_up") == []


def test_tests_have_the_methods_of_the_helpers_they_are_about_and_of_what_they_include():
    found = linked(
        a="module CartHelper\ndef shown = 1\nend\nmodule Signing\ndef sign = 1\nend\nmodule Other\ndef sign = 2\ndef shown = 2\nend",
        spec__b="describe CartHelper do\ninclude Signing\nit 'x' do\nshown\nsign\nend\nend",
    )

    assert found.targets("spec/b.rb", "shown") == ["a.rb:CartHelper.shown"]
    assert found.targets("spec/b.rb", "sign") == ["a.rb:Signing.sign"]


def test_a_bare_name_that_nothing_defines_is_the_only_method_of_a_module():
    found = linked(
        spec__support="module LoginHelpers\ndef log_in_as(user) = 1\nend\nclass Page\ndef open_menu = 1\nend",
        spec__b="describe 'a page' do\nit 'x' do\nlog_in_as(1)\nopen_menu\nend\nend",
    )

    assert found.targets("spec/b.rb", "log_in_as") == ["spec/support.rb:LoginHelpers.log_in_as"]
    assert found.call("spec/b.rb", "log_in_as").reason == "unique-name"
    assert found.call("spec/b.rb", "open_menu").outcome == "unknown"


def test_what_comes_of_a_library_may_be_of_the_project_where_its_name_says_much():
    found = linked(
        a="class User\ndef brand_new? = 1\ndef email = 1\nend",
        b="class Page < ActionController::Base\ndef f\ncurrent_user.brand_new?\ncurrent_user.email\nend\nend",
    )

    said = found.call("b.rb", "current_user.brand_new?")
    assert [found.name(one.place) for one in said.targets] == ["a.rb:User.brand_new?"]
    assert said.targets[0].confidence < 0.8
    assert found.call("b.rb", "current_user.email").outcome == "unknown"


def test_code_of_the_product_runs_no_method_that_only_tests_have():
    found = linked(
        spec__support="class Double\ndef ring_bell = 1\nend",
        b="def f(x)\nx.ring_bell\nend",
        spec__c="def g(x)\nx.ring_bell\nend",
    )

    assert found.targets("b.rb", "x.ring_bell") == []
    assert found.targets("spec/c.rb", "x.ring_bell") == ["spec/support.rb:Double.ring_bell"]


def test_a_private_method_or_one_that_takes_other_arguments_is_not_meant_by_its_name_alone():
    found = linked(
        a="class Page\ndef rows(count) = 1\ndef total = 2\nprivate\ndef first_limit = 3\nend",
        b="def f(pages)\npages.first_limit\npages.rows { 1 }\npages.rows(1)\npages.total(5)\npages.total\nend",
    )
    said = [
        (call.text, each.outcome)
        for call, each in zip(found.facts["b.rb"].calls, found.links["b.rb"].calls, strict=True)
    ]

    assert said == [
        ("pages.first_limit", "unknown"),
        ("pages.rows", "unknown"),
        ("pages.rows", "resolved"),
        ("pages.total", "unknown"),
        ("pages.total", "resolved"),
    ]


JOBS = """class ApplicationJob < ActiveJob::Base
end
class MailJob < ApplicationJob
def perform(x) = 1
end
class HardWorker
include Sidekiq::Worker
def perform(x) = 1
end"""


def test_a_job_that_is_put_into_a_queue_runs():
    found = linked(
        jobs=JOBS,
        b="def f\nMailJob.perform_later(1)\nMailJob.set(wait: 1).perform_later(1)\nHardWorker.perform_async(1)\nend",
    )

    assert found.targets("b.rb", "MailJob.perform_later") == ["jobs.rb:MailJob.perform"]
    assert found.targets("b.rb", "MailJob.set(wait: 1).perform_later") == ["jobs.rb:MailJob.perform"]
    assert found.targets("b.rb", "HardWorker.perform_async") == ["jobs.rb:HardWorker.perform"]


def test_an_action_of_a_controller_is_not_meant_by_its_name_alone_but_by_a_test():
    controllers = "class ApplicationController < ActionController::Base\nend\n"
    controllers += "class SessionsController < ApplicationController\ndef address = 1\nend"
    found = linked(
        app__controllers__a=controllers,
        lib__b="def f(request)\nrequest.address\nend",
        spec__controllers__a_spec="def f(controller)\ncontroller.address\nend",
    )

    assert found.targets("lib/b.rb", "request.address") == []
    assert found.targets("spec/controllers/a_spec.rb", "controller.address") == [
        "app/controllers/a.rb:SessionsController.address"
    ]


def test_a_class_with_an_acronym_in_its_name_is_found_by_what_it_is_called_in_small_letters():
    found = linked(
        pool="class IPPool < ActiveRecord::Base\ndef free = 1\nend\nclass MyURL\ndef show = 1\nend\nclass MYUrl\nend",
        b="class Server < ActiveRecord::Base\nbelongs_to :ip_pool\ndef f = ip_pool.free\ndef g(my_url) = my_url.show\nend",
    )

    assert found.targets("b.rb", "ip_pool.free") == ["pool.rb:IPPool.free"]
    assert found.targets("b.rb", "my_url.show") != ["pool.rb:MYUrl.show"]


PRESENTER = "class EntryPresenter\ndef media_type = 1\ndef newsletter_from = 2\ndef link_to(x) = 3\nend"
REQUESTED = "def check\nrequest.media_type\nend"


def test_what_a_framework_gives_by_a_bare_name_is_its_own():
    found = linked(
        app__presenters__entry_presenter=PRESENTER,
        app__controllers__base=f"class Base < ActionController::Base\n{REQUESTED}\nend",
        app__controllers__concerns__checked=f"module Checked\n{REQUESTED}\nend",
        app__helpers__page_helper="module PageHelper\ndef shown\nlink_to 1\nend\nend",
    )

    for path in ("app/controllers/base.rb", "app/controllers/concerns/checked.rb"):
        said = found.call(path, "request.media_type")
        assert (said.outcome, said.targets) == ("external", ())
    assert found.call("app/helpers/page_helper.rb", "link_to").outcome == "external"


def test_a_helper_of_the_project_goes_before_what_the_framework_gives():
    found = linked(
        app__helpers__a="module A\ndef link_to(x) = 3\nend",
        app__helpers__b="module B\ndef shown\nlink_to 1\nend\nend",
    )

    assert found.targets("app/helpers/b.rb", "link_to") == ["app/helpers/a.rb:A.link_to"]


def test_an_attribute_of_an_object_that_is_not_called_like_the_only_class_with_it_is_faint():
    found = linked(
        a=PRESENTER,
        b="def f(entry, presenter, presenters)\nentry.newsletter_from\npresenter.newsletter_from\npresenters.first.newsletter_from\nend",
    )

    (faint,) = found.call("b.rb", "entry.newsletter_from").targets
    assert found.call("b.rb", "entry.newsletter_from").outcome == "ambiguous"
    assert faint.confidence < 0.3
    for text in ("presenter.newsletter_from", "presenters.first.newsletter_from"):
        (target,) = found.call("b.rb", text).targets
        assert target.confidence == 0.9
