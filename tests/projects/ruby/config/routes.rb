Rails.application.routes.draw do
  root "carts#index"
  get "/health", to: "health#show", as: :health

  namespace :admin do
    resources :carts, only: [:index, :show] do
      member do
        post :close
      end
      get :search, on: :collection
      resources :lines, only: :destroy
    end
  end

  scope "/api", module: "api" do
    resource :session, only: %i[create destroy]
    match "ping" => "status#ping", via: [:get, :post]
  end

  mount Sidekiq::Web => "/jobs"
end
