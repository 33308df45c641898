async fn load(rows: Vec<Row>, path: &str) -> Result<Row, Problem> {
    connect("shop.db")?;
    let total = sum(&rows).await?;
    for row in ordered(&rows) {
        row.save();
    }
    let _ = remove(path);
    let query = format!("SELECT {} FROM items", path);
    rows.iter().for_each(|row| row.close());
    match check(total) {
        Err(problem) => return Err(problem.into()),
        Ok(value) => unsafe { mark(value as usize) },
    }
    if let Err(problem) = check(total) {
        log::warn!("failed {}", problem);
    }
    Shop::make::<Row>(query)
}
