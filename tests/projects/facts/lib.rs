/// Documented.
pub fn count() -> u32 {
    // A comment inside, which documents nothing.
    10
}
