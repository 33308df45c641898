use axum::{routing::get, Router};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum ShopError {
    #[error("gone")]
    Gone,
}

pub trait Store {
    fn load(&self, id: &str) -> Result<String, ShopError>;
    fn size(&self) -> usize {
        0
    }
}

pub struct Memory;

impl Store for Memory {
    fn load(&self, id: &str) -> Result<String, ShopError> {
        if id.is_empty() {
            return Err(ShopError::Gone);
        }
        Ok(id.to_string())
    }
}

async fn show() -> String {
    std::thread::sleep(std::time::Duration::from_secs(1));
    let text = Memory.load("1").unwrap();
    let _ = Memory.load("2");
    tokio::spawn(async move {
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    });
    text
}

fn fast(bytes: &[u8]) -> u8 {
    let first = bytes.first().expect("no bytes");
    unsafe { *bytes.get_unchecked(0) + *first }
}

#[tokio::main]
async fn main() {
    let app: Router = Router::new().route("/orders", get(show));
    if fast(b"1") > 0 {
        panic!("no");
    }
    drop(app);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads() {
        assert_eq!(Memory.load("1").unwrap(), "1");
    }
}
