// Map: the code base as a treemap. Area is lines of code, colour a measure of choice.

import { address, fileAddress } from "./addresses.js";
import { checkbox, choice, command, count, element, empty, heading, link, notices, plural, shape, table, unavailable } from "./elements.js";
import { countFiles, findFolder, layOut, makeTree, neighbour } from "./treemap.js";

const FIRST = "complexity";
const OWNERS = 8; // as many as there are colours that can be told apart
const LETTER = 6.3; // about the width of a letter of a label, in pixels
const BOLD_LETTER = 7.2;
const MOST_ROWS = 40;

export async function show(main, page) {
  const { answer, problem } = await page.keep("map");
  if (problem) {
    main.append(heading("Map"), unavailable("There is no map yet", problem));
    return "There is no map yet";
  }
  const data = answer.data;
  const by = data.measures.some((each) => each.name === page.chosen.colour) ? page.chosen.colour : FIRST;
  const hasTests = page.chosen.tests !== "no";
  const tests = new Set(data.tests);
  const root = makeTree(data.paths, data.lines, (number) => hasTests || !tests.has(number));
  const folder = findFolder(root, page.subject);
  if (!folder) {
    main.append(heading("Map"), empty("The map has no such folder", page.subject), link(address("map"), "The whole map"));
    return "The map has no such folder";
  }
  const view = new MapView(page, data, folder, { by, hasTests });
  main.append(
    heading(page.subject ? folder.name : "Map", crumbs(page.subject, view.chosen), `${plural(countFiles(folder), "file")} with ${plural(folder.size, "line")} of code. The area of each is its code.`),
    view.controls, view.legend, view.place, view.told, view.command, view.contents);
  view.watch();
  view.colour(by); // measuring may take long: the map is there before its colours
  return `${plural(countFiles(folder), "file")} on the map`;
}

export function crumbs(path, chosen = {}) {
  const parts = path ? path.split("/") : [];
  return element("ol", { class: "crumbs", "aria-label": "Where this is" }, element("li", {}, link(address("map", "", chosen), "all")),
    parts.map((part, at) => element("li", {}, at === parts.length - 1 ? part : link(address("map", parts.slice(0, at + 1).join("/"), chosen), part))));
}

class MapView {
  constructor(page, data, folder, { by, hasTests }) {
    this.page = page;
    this.data = data;
    this.folder = folder;
    this.chosen = { colour: by === FIRST ? "" : by, tests: hasTests ? "" : "no" };
    this.cells = [];
    this.scale = { look: () => "s0", tell: () => "being measured", isWaiting: true };
    this.place = element("div", { class: "map-place" });
    this.legend = element("ul", { class: "legend", "aria-label": "Colours" });
    this.told = element("div", { class: "told" });
    this.command = element("div", {});
    this.contents = element("section", { class: "after" });
    this.controls = element("div", { class: "controls" },
      choice("Colour", data.measures.map((each) => [each.name, each.title]), (value) => this.recolour(value), by),
      checkbox("Tests", (isOn) => { location.hash = this.address(folder.path, { ...this.chosen, tests: isOn ? "" : "no" }); }, hasTests));
  }

  address(path, chosen = this.chosen) {
    return address("map", path, chosen);
  }

  recolour(by) {
    this.chosen.colour = by === FIRST ? "" : by;
    this.page.note(this.address(this.folder.path));
    this.colour(by);
  }

  async colour(by) {
    const own = this.turn = Symbol("turn");
    this.tell([element("p", { class: "quiet" }, "Measuring…")]);
    let scale;
    try {
      const reply = await this.page.keep("map/colour", { by });
      scale = reply.problem ? { problem: reply.problem } : makeScale(reply.answer.data, this.data);
    } catch (error) {
      scale = { problem: { message: error.message } };
    }
    if (own !== this.turn) return;
    this.scale = scale;
    this.paint();
  }

  // New colours on the same cells, so that who walks on them stays where they are.
  paint() {
    for (const anchor of this.place.querySelectorAll("a")) {
      const cell = this.cells[Number(anchor.dataset.at)];
      anchor.setAttribute("href", this.target(cell));
      anchor.setAttribute("aria-label", this.label(cell));
      anchor.firstChild.setAttribute("class", this.look(cell));
    }
    if (!this.width) return;
    this.explain();
    if (this.place.contains(document.activeElement)) this.tellOf(document.activeElement.closest("a"));
  }

  look(cell) {
    return cell.kind === "folder" ? "frame" : this.scale.look?.(cell.number) ?? "unknown";
  }

  target(cell) {
    return cell.kind === "folder" ? this.address(cell.path) : fileAddress(cell.path);
  }

  label(cell) {
    return cell.kind === "folder" ? `Folder ${cell.path}, ${plural(cell.size, "line")}` : `${cell.path}, ${plural(cell.size, "line")}, ${this.value(cell.number)}`;
  }

  // Draws when the place is known, and again when it changes.
  watch() {
    const observer = new ResizeObserver(() => { if (this.place.clientWidth !== this.width) this.draw(); });
    observer.observe(this.place);
    this.page.onLeave(() => observer.disconnect());
  }

  draw() {
    if (!this.place.clientWidth) return;
    this.width = this.place.clientWidth;
    const height = Math.max(320, Math.min(720, innerHeight - 320, this.width * 1.2));
    const { cells, left } = layOut(this.folder, this.width, height);
    this.cells = cells;
    const drawing = shape("svg", { class: "map", viewBox: `0 0 ${this.width} ${height}`, height, role: "group", "aria-label": "Files by their code; arrow keys walk, Enter opens, Backspace goes up" }, hatch());
    const drawn = document.createDocumentFragment();
    cells.forEach((cell, at) => drawn.append(this.cell(cell, at)));
    drawing.append(drawn);
    drawing.addEventListener("pointerover", (event) => this.tellOf(event.target.closest("a")));
    drawing.addEventListener("focusin", (event) => this.tellOf(event.target.closest("a")));
    drawing.addEventListener("keydown", (event) => this.walk(event));
    this.place.replaceChildren(drawing);
    this.left = left;
    this.explain();
  }

  cell(cell, at) {
    const isFolder = cell.kind === "folder";
    const anchor = shape("a", {
      href: this.target(cell), class: cell.kind, tabindex: at ? -1 : 0, "data-at": at,
      "aria-label": this.label(cell),
    });
    anchor.append(shape("rect", { class: this.look(cell), x: round(cell.x), y: round(cell.y), width: round(cell.width), height: round(cell.height), rx: 2 }));
    const room = Math.floor((cell.width - 8) / (isFolder ? BOLD_LETTER : LETTER));
    // A name of which three letters are left tells nothing.
    if (room >= Math.min(cell.name.length, isFolder ? 4 : 7) && cell.height >= 15) {
      const label = shape("text", { x: round(cell.x + 4), y: round(cell.y + 12) });
      label.textContent = cell.name.length <= room ? cell.name : `${cell.name.slice(0, room - 1)}…`;
      anchor.append(label);
    }
    return anchor;
  }

  value(number) {
    return this.scale.tell ? this.scale.tell(number) : "not known";
  }

  tell(nodes) {
    this.told.replaceChildren(...nodes);
  }

  tellOf(anchor) {
    const cell = anchor && this.cells[Number(anchor.dataset.at)];
    if (!cell) return;
    const facts = cell.kind === "folder" ? `${plural(cell.size, "line")} of code` : `${plural(cell.size, "line")} of code, ${this.data.languages[cell.number]}; ${this.value(cell.number)}`;
    this.tell([element("strong", {}, cell.path), element("br", {}), facts]);
  }

  walk(event) {
    const here = this.cells[Number(event.target.closest("a")?.dataset.at)];
    if (!here) return;
    if (event.key === "Backspace" && this.folder.path) {
      event.preventDefault();
      location.hash = this.address(this.folder.path.split("/").slice(0, -1).join("/"));
    }
    if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
    const next = neighbour(this.cells, here, event.key);
    if (!next) return;
    event.target.closest("a").setAttribute("tabindex", "-1");
    const anchor = this.place.querySelector(`[data-at="${this.cells.indexOf(next)}"]`);
    anchor.setAttribute("tabindex", "0");
    anchor.focus({ preventScroll: true });
  }

  // What the colours mean, where the figures come from, and the same as rows for those who read.
  explain() {
    const { measure, notes, legend, problem, isWaiting } = this.scale;
    this.legend.replaceChildren(...(legend ?? []).map(([look, text]) => element("li", {}, element("span", { class: `swatch ${look}` }), text)));
    if (isWaiting) this.tell([element("p", { class: "quiet" }, "Measuring…")]);
    else this.tell([...notices(problem ? [problem.message] : []), element("p", { class: "quiet" }, "Point at a file, or walk with the arrow keys.")]);
    this.command.replaceChildren(...(notes ?? []).map((each) => element("p", { class: "quiet small-text" }, each)), ...(measure ? [command(measure.command)] : []));
    const rows = [...this.folder.folders.values(), ...this.folder.files].sort((one, other) => other.size - one.size);
    const columns = [
      { title: "Name", cell: (row) => (row.folders ? link(this.address(row.path), `${row.name}/`) : link(fileAddress(row.path), row.name)) },
      { title: "Lines", isNumber: true, cell: (row) => count(row.size) },
      { title: "Files", isNumber: true, cell: (row) => (row.folders ? count(countFiles(row)) : "–") },
      { title: measure?.title ?? "Colour", cell: (row) => (row.folders ? "–" : this.value(row.number)) },
    ];
    const caption = `${count(Math.min(rows.length, MOST_ROWS))} of ${count(rows.length)} in this folder, the largest first${this.left ? `; ${plural(this.left, "file")} too small to be drawn` : ""}`;
    this.contents.replaceChildren(element("h2", {}, "Contents"), table(caption, columns, rows.slice(0, MOST_ROWS)));
  }
}

const round = (number) => Math.round(number * 10) / 10;

function hatch() {
  return shape("defs", {}, shape("pattern", { id: "hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    shape("rect", { class: "hatch-back", width: 6, height: 6, stroke: "none" }), shape("line", { class: "hatch-line", x1: 0, y1: 0, x2: 0, y2: 6 })));
}

// How a measure is shown: the look of each file, what is told of it, and what the looks mean.
export function makeScale({ measure, values, notes }, data) {
  const isKnown = values.some((value) => value !== null && value !== undefined);
  if (!isKnown) return { measure, notes, look: () => "unknown", tell: () => "not known", legend: [["unknown", "not known"]] };
  const shown = measure.steps.length ? byStep(measure, values) : byName(values, data.lines);
  const isWhole = values.every((value) => value !== null && value !== undefined);
  return { measure, notes, ...shown, legend: [...shown.legend, ...(isWhole ? [] : [["unknown", "not known"]])] };
}

function byStep({ steps, unit, isLowHot }, values) {
  const place = (value) => steps.filter((step) => value >= step).length;
  const look = (step) => `s${isLowHot ? steps.length - step : step}`;
  const text = (step) => (step === 0 ? `under ${count(steps[0])}` : step === steps.length ? `${count(steps[step - 1])} and more` : `from ${count(steps[step - 1])}`);
  const isThere = (value) => value !== null && value !== undefined;
  return {
    look: (number) => (isThere(values[number]) ? look(place(values[number])) : "unknown"),
    tell: (number) => (isThere(values[number]) ? `${count(values[number])} ${unit}` : "not known"),
    legend: [...steps, null].map((_, step) => [look(step), text(step)]),
  };
}

function byName(values, lines) {
  const sizes = new Map();
  values.forEach((value, number) => { if (value) sizes.set(value, (sizes.get(value) ?? 0) + lines[number]); });
  const first = [...sizes].sort((one, other) => other[1] - one[1]).slice(0, OWNERS).map(([name]) => name);
  const look = (value) => (first.includes(value) ? `c${first.indexOf(value)}` : `c${OWNERS}`);
  const others = sizes.size - first.length;
  return {
    look: (number) => (values[number] ? look(values[number]) : "unknown"),
    tell: (number) => values[number] ?? "not known",
    legend: [...first.map((name) => [look(name), name]), ...(others > 0 ? [[`c${OWNERS}`, plural(others, "other")]] : [])],
  };
}
