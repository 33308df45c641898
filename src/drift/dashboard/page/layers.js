// A layered drawing of a graph: nodes on rows by their height, in an order that keeps lines short. Knows no page.

const ROW = 130;
const GAP = 34;
const SHAPE = 1.8;
const WIDEST = 90; // nodes on one line of a row: a row of a thousand is folded

// Gives {x, y} in units of the drawing for each node of {names, heights, edges}.
export function placeNodes({ names, heights, edges }) {
  const rows = [];
  heights.forEach((height, node) => (rows[height] ??= []).push(node));
  const uses = names.map(() => []);
  const users = names.map(() => []);
  for (const [source, target] of edges) {
    uses[source].push(target);
    users[target].push(source);
  }
  const order = new Float64Array(names.length);
  rows.forEach((row) => row.forEach((node, at) => { order[node] = at / row.length; }));
  // Each row by the middle of what it hangs on, from below and from above; more turns change little.
  for (let turn = 0; turn < 4; turn++) {
    const near = turn % 2 ? users : uses;
    const walked = turn % 2 ? [...rows].reverse() : rows;
    for (const row of walked) {
      if (!row) continue;
      const middle = new Map(row.map((node) => [node, near[node].length ? near[node].reduce((sum, each) => sum + order[each], 0) / near[node].length : order[node]]));
      row.sort((one, other) => middle.get(one) - middle.get(other) || one - other);
      row.forEach((node, at) => { order[node] = (at + 0.5) / row.length; });
    }
  }
  const x = new Float64Array(names.length);
  const y = new Float64Array(names.length);
  let top = 0;
  for (const row of [...rows].reverse()) {
    if (!row) continue;
    const lines = Math.ceil(row.length / WIDEST);
    const wide = Math.ceil(row.length / lines);
    const step = Math.max(GAP, Math.min(170, 1600 / wide));
    row.forEach((node, at) => {
      const line = Math.floor(at / wide);
      const inLine = Math.min(wide, row.length - line * wide);
      x[node] = ((at % wide) - (inLine - 1) / 2) * step;
      y[node] = top + line * 46;
    });
    top += (lines - 1) * 46 + ROW;
  }
  stretch(x, top * SHAPE);
  return { x, y, uses, users };
}

// A drawing of many rows would be a tower: it is made as wide as the place it is shown in.
function stretch(x, wanted) {
  const width = x.reduce((most, each) => Math.max(most, Math.abs(each)), 1) * 2;
  const factor = Math.max(0.6, Math.min(6, wanted / width));
  x.forEach((each, node) => { x[node] = each * factor; });
}

export function boundsOf(x, y, nodes) {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const node of nodes) {
    left = Math.min(left, x[node]);
    right = Math.max(right, x[node]);
    top = Math.min(top, y[node]);
    bottom = Math.max(bottom, y[node]);
  }
  return { left, right, top, bottom };
}

// One node in the middle, who uses it above, what it uses below; what is both stands above.
export function placeAround({ names }, centre, uses, users) {
  const above = [...new Set(users[centre])].filter((node) => node !== centre);
  const below = [...new Set(uses[centre])].filter((node) => node !== centre && !above.includes(node));
  const x = new Float64Array(names.length);
  const y = new Float64Array(names.length);
  spread(above, -1, x, y);
  spread(below, 1, x, y);
  return { x, y, shown: [centre, ...above, ...below] };
}

function spread(nodes, side, x, y) {
  const wide = Math.min(nodes.length, 5);
  nodes.forEach((node, at) => {
    const line = Math.floor(at / wide);
    const inLine = Math.min(wide, nodes.length - line * wide);
    x[node] = ((at % wide) - (inLine - 1) / 2) * 190 + (line % 2 ? 60 : 0);
    y[node] = side * (150 + line * 54);
  });
}
