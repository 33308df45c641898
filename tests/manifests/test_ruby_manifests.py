"""What the manifests of Ruby declare."""

from drift.manifests.import_names import is_platform
from drift.manifests.ruby import describe_gemspec, parse_gemfile, parse_gemfile_lock, parse_gemspec

GEMFILE = """
source "https://rubygems.org"
ruby "3.3"
gem "rails", "~> 7.1", ">= 7.1.2"
gem 'pg'
gem "puma", require: false
group :development, :test do
  gem "rspec-rails"
end
if ENV["X"]
  gem "bootsnap"
end
gem "rubocop", group: :development
# gem "gone"
"""


def test_a_gemfile_declares_gems_with_versions_and_groups():
    declared = parse_gemfile(GEMFILE).declared

    assert [tuple(each) for each in declared] == [
        ("rails", "~> 7.1", "prod"),
        ("pg", None, "prod"),
        ("puma", None, "prod"),
        ("rspec-rails", None, "dev"),
        ("bootsnap", None, "prod"),
        ("rubocop", None, "dev"),
    ]


def test_a_gemspec_says_what_it_is_called_and_asks_for():
    text = 'Gem::Specification.new do |s|\n s.name = "shop"\n s.add_dependency "rack", ">= 3"\n s.add_development_dependency("rake")\nend'

    contents = parse_gemspec(text)
    assert contents.own_names == ("shop",)
    assert [tuple(each) for each in contents.declared] == [("rack", ">= 3", "prod"), ("rake", None, "dev")]
    assert describe_gemspec(text).name == "shop"


def test_a_lock_says_which_versions_were_settled_on():
    text = "GEM\n  remote: https://rubygems.org/\n  specs:\n    rack (3.0.8)\n    rails (7.1.2)\n      rack (>= 3)\n\nPLATFORMS\n  ruby\n"

    assert [(each.name, each.version) for each in parse_gemfile_lock(text).locked] == [
        ("rack", "3.0.8"),
        ("rails", "7.1.2"),
    ]


def test_what_comes_with_ruby_is_no_gem():
    assert is_platform("ruby", "net/http")
    assert not is_platform("ruby", "rack/test")
