// Constant lists of Rust.
pub const ROLES: &[&str] = &["admin", "editor"];
static CODES: [u16; 2] = [404, 500];
