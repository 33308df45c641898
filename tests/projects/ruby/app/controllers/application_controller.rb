class ApplicationController < ActionController::Base
  before_action :authenticate
  rescue_from Shop::Missing, with: :not_found

  private

  def authenticate
    @user = User.find_by(token: params[:token])
  end

  def not_found = head(:not_found)
end
