// A squarified treemap, after Bruls and others: a tree of folders, and rectangles that fill a place. Knows no page.

// Files as a tree: {name, path, size, folders, files}; what has one folder alone is one with it.
export function makeTree(paths, lines, isShown) {
  const root = folder("", "");
  for (let number = 0; number < paths.length; number++) {
    if (!lines[number] || !isShown(number)) continue;
    const parts = paths[number].split("/");
    let here = root;
    here.size += lines[number];
    for (let at = 0; at < parts.length - 1; at++) {
      let next = here.folders.get(parts[at]);
      if (!next) here.folders.set(parts[at], next = folder(parts[at], parts.slice(0, at + 1).join("/")));
      here = next;
      here.size += lines[number];
    }
    here.files.push({ name: parts.at(-1), path: paths[number], number, size: lines[number] });
  }
  return root;
}

function folder(name, path) {
  return { name, path, size: 0, folders: new Map(), files: [] };
}

export function findFolder(root, path) {
  let here = root;
  for (const part of path ? path.split("/") : []) {
    here = here.folders.get(part);
    if (!here) return null;
  }
  return here;
}

export function countFiles(one) {
  let total = one.files.length;
  for (const inner of one.folders.values()) total += countFiles(inner);
  return total;
}

const HEAD = 17;
const LEAST_FOR_HEAD = [46, 40];
const LEAST_SIDE = 2;

// Rectangles of a folder: {kind, path, name, number, x, y, width, height}, frames before what is in them.
export function layOut(root, width, height) {
  const found = { cells: [], left: 0 };
  const waiting = [[root, { x: 0, y: 0, width, height }, true]];
  while (waiting.length) {
    let [here, box, isRoot] = waiting.pop();
    let name = here.name;
    while (here.folders.size === 1 && !here.files.length && !isRoot) {
      [here] = here.folders.values();
      name = `${name}/${here.name}`;
    }
    if (!isRoot && box.width > LEAST_FOR_HEAD[0] && box.height > LEAST_FOR_HEAD[1]) {
      found.cells.push({ kind: "folder", path: here.path, name, size: here.size, ...box });
      box = { x: box.x + 2, y: box.y + HEAD, width: box.width - 4, height: box.height - HEAD - 2 };
    }
    const parts = [...here.folders.values(), ...here.files].sort((one, other) => other.size - one.size);
    squarify(parts.map((part) => part.size), box).forEach((place, at) => {
      const part = parts[at];
      if (place.width < LEAST_SIDE || place.height < LEAST_SIDE) found.left += part.folders ? countFiles(part) : 1;
      else if (part.folders) waiting.push([part, place, false]);
      else found.cells.push({ kind: "file", path: part.path, name: part.name, number: part.number, size: part.size, ...place });
    });
  }
  return found;
}

// A rectangle for each size, largest first, that together fill the box and are as square as they come.
export function squarify(sizes, box) {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const scale = total ? (box.width * box.height) / total : 0;
  const boxes = [];
  let rest = box;
  let at = 0;
  while (at < sizes.length) {
    const side = Math.min(rest.width, rest.height);
    const most = sizes[at] * scale;
    let sum = most;
    let worst = ratio(most, most, sum, side);
    let end = at + 1;
    while (end < sizes.length) {
      const area = sizes[end] * scale;
      const next = ratio(most, area, sum + area, side);
      if (next > worst) break;
      worst = next;
      sum += area;
      end++;
    }
    rest = layRow(sizes, scale, { at, end, sum }, rest, boxes);
    at = end;
  }
  return boxes;
}

function ratio(most, least, sum, side) {
  if (!sum || !side || !least) return Infinity;
  return Math.max((side * side * most) / (sum * sum), (sum * sum) / (side * side * least));
}

function layRow(sizes, scale, { at, end, sum }, box, boxes) {
  const isWide = box.width >= box.height;
  const side = isWide ? box.height : box.width;
  const depth = side ? sum / side : 0;
  let offset = 0;
  for (let number = at; number < end; number++) {
    const length = depth ? (sizes[number] * scale) / depth : 0;
    boxes.push(isWide ? { x: box.x, y: box.y + offset, width: depth, height: length } : { x: box.x + offset, y: box.y, width: length, height: depth });
    offset += length;
  }
  return isWide
    ? { x: box.x + depth, y: box.y, width: Math.max(0, box.width - depth), height: box.height }
    : { x: box.x, y: box.y + depth, width: box.width, height: Math.max(0, box.height - depth) };
}

// The cell next to one in a direction, by how far it is and how much it is aside.
export function neighbour(cells, from, key) {
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  const middle = (cell) => [cell.x + cell.width / 2, cell.y + (cell.kind === "folder" ? HEAD / 2 : cell.height / 2)];
  const [x, y] = middle(from);
  let best = null;
  let least = Infinity;
  for (const cell of cells) {
    if (cell === from) continue;
    const [otherX, otherY] = middle(cell);
    const ahead = (otherX - x) * dx + (otherY - y) * dy;
    if (ahead <= 0.5) continue;
    const aside = Math.abs((otherX - x) * dy) + Math.abs((otherY - y) * dx);
    const distance = ahead + 2 * aside;
    if (distance < least) [best, least] = [cell, distance];
  }
  return best;
}
