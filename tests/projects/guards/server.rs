// Guards of axum and actix: layers and what wraps a scope.
use axum::{routing::get, Router};

pub fn app() -> Router {
    Router::new()
        .route("/orders", get(list))
        .route_layer(middleware::from_fn(auth))
        .route("/health", get(health))
}

pub fn configure(cfg: &mut web::ServiceConfig) {
    cfg.service(
        web::scope("/admin")
            .wrap(HttpAuthentication::bearer(check))
            .route("/stats", web::get().to(stats)),
    );
}

async fn list() {}
async fn health() {}
async fn stats() {}
