# Reads of the environment and of settings in Ruby.
url = ENV["SHOP_URL"]
token = ENV.fetch("SHOP_TOKEN")
mode = ENV.fetch("SHOP_MODE", "dev")
key = Rails.application.credentials.shop_key
