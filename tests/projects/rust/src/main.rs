//! Sells things.
//!
//! The command line.

mod store;
#[path = "web_routes.rs"]
pub mod routes;

extern crate serde as serial;

use clap::{Parser, Subcommand};
use std::env;

/// What a person types.
#[derive(Debug, Parser)]
#[command(name = "shop", version)]
struct Arguments {
    /// Where to listen.
    #[arg(long, env = "SHOP_PORT", default_value = "80")]
    port: u16,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Serve,
    #[command(name = "bulk-load")]
    Load { path: String },
    RunOnce(store::Mode),
}

const BANNER: &str = "shop of things";
static mut STARTED: u64 = 4711;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = Arguments::parse();
    let home = env::var("SHOP_HOME").unwrap_or_else(|_| "/var/shop".into());
    let token = std::env::var("SHOP_TOKEN")?;
    println!("{} {}", BANNER, describe(&arguments.command).trim());
    match arguments.command {
        Command::Serve => routes::serve(arguments.port, token).await?,
        Command::Load { path } if !path.is_empty() => store::Store::open(&path)?.load().await,
        Command::Load { .. } => panic!("no path in {home}"),
        Command::RunOnce(mode) => mode.run(),
    }
    Ok(())
}

fn describe(command: &Command) -> &'static str {
    if let Command::Serve = command {
        "serve"
    } else if matches!(command, Command::Load { .. }) {
        option_env!("SHOP_BUILD").unwrap_or("load")
    } else {
        unreachable!()
    }
}
