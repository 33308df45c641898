export function Page({ rows }: { rows: Row[] }) {
  return (
    <main className="flex p-4">
      <img src="/logo.png" alt="Shop" />
      {rows.map((row) => (
        <Item key={row.id} row={row} />
      ))}
      <button type="button" onClick={() => rows.clear()}>
        Clear
      </button>
    </main>
  );
}
