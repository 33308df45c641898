# frozen_string_literal: true

require "forwardable"
require_relative "shop/cart"

# All that is sold.
module Shop
  CURRENCY = ENV.fetch("SHOP_CURRENCY", "EUR")

  class Error < StandardError; end
  Missing = Class.new(Error)
  Price = Struct.new(:cents, :currency) do
    def +(other)
      Price.new(cents + other.cents, currency)
    end
  end

  module_function

  def open(path = ENV["SHOP_PATH"])
    Cart.load(path)
  rescue Missing, Errno::ENOENT => e
    warn "nothing at #{path}: #{e.message}"
    raise Error, "no shop"
  ensure
    close
  end

  def close; end
end
