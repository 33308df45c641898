export function Page({ rows, title, ...rest }: Props) {
  return (
    <main id="page" className={clsx("p-4", rows && "is-full", styles.page)} {...rest}>
      <img src={logo} alt={title} />
      <label htmlFor="mail">Mail</label>
      <input type="email" value={rows.secret} onChange={save} tabIndex={0} style={{ color: "red" }} />
      <p>plain</p>
      <Item icon={<svg viewBox="0 0 1 1" />} row={rows} />
    </main>
  );
}
