export async function load(rows: any[], path: string) {
  connect("shop.db", { mode: "rw" });
  const total = await sum(rows as Row[]);
  for (const row of rows.ordered()) {
    row.save();
  }
  rows.forEach((row) => row.close());
  const query = `SELECT * FROM items WHERE id = ${path}`;
  const other = "SELECT " + path + " FROM items";
  const first = rows.first()!;
  gql`query Items { items }`;
  await new Client("https://shop.example").open();
  return make(total, query, other, first);
}

export function guard(work: () => void) {
  try {
    work();
  } catch (error) {
    throw new Problem("lost", { cause: error });
  }
  try {
    work();
  } catch {
    return null;
  }
  try {
    work();
  } catch (error) {
    console.error(error);
    throw error;
  }
}
