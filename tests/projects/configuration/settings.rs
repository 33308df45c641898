// Reads of the environment in Rust.
use std::env;

fn read() -> Result<(), Error> {
    let url = env::var("SHOP_URL").unwrap();
    let token = env::var("SHOP_TOKEN")?;
    let mode = env::var("SHOP_MODE").unwrap_or("dev".into());
    let limit = env::var("SHOP_LIMIT").ok();
    Ok(())
}
