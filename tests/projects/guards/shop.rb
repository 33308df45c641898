# Guards of a controller of Rails: of all of its methods, or of some.
class OrdersController < ApplicationController
  before_action :authenticate_user!
  before_action :set_order, only: %i[show update]
  skip_before_action :verify_token, except: [:index]

  def index; end

  def show; end

  def update; end
end
