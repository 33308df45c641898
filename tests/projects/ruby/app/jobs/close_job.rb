class CloseJob < ApplicationJob
  def perform(id)
    Order.active.find(id).total
  end
end
