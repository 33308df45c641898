#!/usr/bin/env ruby
require "sinatra/base"

class App < Sinatra::Base
  get "/carts/:id" do |id|
    cart_for(id).to_s
  end

  post("/carts") { redirect "/" }

  def cart_for(id) = Shop::Cart.load(id)
end

def main
  App.run!
end

main if __FILE__ == $0
