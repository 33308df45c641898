"""Calls that may be of an action of Rails by its name: none that has an object before it."""

from drift.analyses.unresolved import find_open_names
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

FILES = {
    "config/routes.rb": "Rails.application.routes.draw do\n  resources :orders, only: [] do\n    get :labels, on: :collection\n  end\nend\n",
    "app/controllers/orders_controller.rb": "class OrdersController < ApplicationController\n  def labels = 1\nend\n",
    "app/models/plain.rb": "class Plain < Outside::Thing\n  def notes = 2\nend\n",
    "app/services/use.rb": "class Use\n  def go(account) = account.labels + account.notes\nend\n",
    "app/services/more.rb": "class More < Outside::Thing\n  def notes = 3\n  def labels = 4\nend\n",
}


def test_a_call_with_an_object_before_it_is_none_of_an_action(tmp_path):
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        (action,) = reader.symbols.qualified("OrdersController.labels")
        (method,) = reader.symbols.qualified("Plain.notes")
        of_action, of_method = (find_open_names(reader, [one]) for one in (action, method))

    assert of_action == []
    assert [one.calls.times for one in of_method] == [1]
