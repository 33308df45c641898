use actix_web::{get, route, web, App, HttpServer};
use axum::{routing::post, Router};
use warp::Filter;

#[get("/items/{id}")]
async fn item(id: web::Path<u32>) -> String {
    id.to_string()
}

#[actix_web::post("/items")]
async fn create() {}

#[route("/any", method = "PUT")]
async fn any_method() {}

pub async fn serve(port: u16, token: String) -> std::io::Result<()> {
    let app = Router::new()
        .route("/users", axum::routing::get(users).post(handlers::add))
        .route("/users/:id", post(|| async { "made" }));
    let status = warp::path("status").and(warp::get()).and_then(status);
    HttpServer::new(move || {
        App::new()
            .service(item)
            .route("/old", web::get().to(old))
            .service(web::resource("/things").route(web::delete().to(old)))
    })
    .bind(("0.0.0.0", port))?
    .run()
    .await
}

async fn users() {}

async fn old() {}

async fn status() -> Result<String, warp::Rejection> {
    Ok("fine".to_string())
}
