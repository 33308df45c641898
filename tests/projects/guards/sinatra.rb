require "sinatra"

before do
  halt 401 unless signed_in?
end

get "/cart" do
  cart
end
