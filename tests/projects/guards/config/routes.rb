# A guard of Rails' routes.
Rails.application.routes.draw do
  authenticate :user do
    get "/orders", to: "orders#index"
  end
end
