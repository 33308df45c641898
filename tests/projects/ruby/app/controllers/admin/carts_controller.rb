class Admin::CartsController < ApplicationController
  def index
    @carts = Shop::Cart.load("carts")
  end

  def show
    render json: @user.orders.open.first.total
  end

  def close
    CloseJob.perform_later(params[:id])
  end
end
