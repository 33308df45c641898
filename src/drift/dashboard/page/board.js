// The board a graph is drawn on: a canvas that is moved as a picture while a person moves it, and drawn anew when they rest.

import { boundsOf } from "./layers.js";
import { element } from "./elements.js";

const REST_MS = 120;
const NEAR = 14; // pixels from a node that still mean it
const MARGIN = 60;
const MOST_LABELS = 140; // more could not be read
const [MANY, CLOSE, FEW_LABELS] = [250, 0.5, 24];

export class Board {
  constructor(place, { graph, drawn, centre, open, tell, onLeave }) {
    Object.assign(this, { place, graph, drawn, centre, open, tell, pointed: -1, here: Math.max(centre, -1) });
    this.under = element("canvas", { "aria-hidden": "true" });
    this.over = element("canvas", { class: "over", tabindex: "0", role: "application", "aria-label": "Graph; arrow keys walk along dependencies, Enter puts a node in the middle, plus and minus zoom" });
    const zoom = (factor) => () => this.zoom(factor, this.width / 2, this.height / 2);
    place.append(this.under, this.over, element("div", { class: "zoom" },
      element("button", { type: "button", "aria-label": "Closer", onclick: zoom(1.4) }, "+"),
      element("button", { type: "button", "aria-label": "Further", onclick: zoom(1 / 1.4) }, "−"),
      element("button", { type: "button", onclick: () => { this.fit(); this.redraw(); } }, "All")));
    this.listen();
    const observer = new ResizeObserver(() => this.resize());
    observer.observe(place);
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const recolour = () => { this.ink(); this.redraw(); };
    scheme.addEventListener("change", recolour);
    onLeave(() => { observer.disconnect(); scheme.removeEventListener("change", recolour); clearTimeout(this.rest); cancelAnimationFrame(this.frame); });
  }

  listen() {
    let from = null;
    let moved = 0;
    this.over.addEventListener("pointerdown", (event) => { from = [event.offsetX, event.offsetY]; moved = 0; this.over.setPointerCapture(event.pointerId); });
    this.over.addEventListener("pointermove", (event) => {
      if (from) {
        const [dx, dy] = [event.offsetX - from[0], event.offsetY - from[1]];
        moved += Math.abs(dx) + Math.abs(dy);
        from = [event.offsetX, event.offsetY];
        this.move(dx, dy);
      } else this.point(this.nodeAt(event.offsetX, event.offsetY));
    });
    this.over.addEventListener("pointerup", (event) => {
      from = null;
      if (moved > 4) return;
      const node = this.nodeAt(event.offsetX, event.offsetY);
      if (node >= 0) this.open(node);
    });
    this.over.addEventListener("pointerleave", () => { if (!from) this.point(this.here); });
    this.over.addEventListener("wheel", (event) => { event.preventDefault(); this.zoom(Math.exp(-event.deltaY / 500), event.offsetX, event.offsetY); }, { passive: false });
    this.over.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    if (event.key === "+" || event.key === "=") this.zoom(1.4, this.width / 2, this.height / 2);
    else if (event.key === "-") this.zoom(1 / 1.4, this.width / 2, this.height / 2);
    else if (event.key === "0") { this.fit(); this.redraw(); }
    else if (event.key === "Enter" && this.here >= 0) this.open(this.here);
    else if (event.key.startsWith("Arrow")) this.walk(event.key);
    else return;
    event.preventDefault();
  }

  // Up and down along dependencies, left and right within the row.
  walk(key) {
    const { x, y, uses, users, shown } = this.drawn;
    if (this.here < 0) return this.stand(shown[0]);
    const isThere = new Set(shown);
    const aside = (node) => Math.abs(x[node] - x[this.here]);
    let near;
    if (key === "ArrowUp") near = users[this.here].filter((node) => isThere.has(node));
    else if (key === "ArrowDown") near = uses[this.here].filter((node) => isThere.has(node));
    else near = shown.filter((node) => y[node] === y[this.here] && (key === "ArrowLeft" ? x[node] < x[this.here] : x[node] > x[this.here]));
    const [next] = near.sort((one, other) => aside(one) - aside(other));
    return next === undefined ? undefined : this.stand(next);
  }

  stand(node) {
    this.here = node;
    const [x, y] = this.onScreen(node);
    if (x < MARGIN || y < MARGIN || x > this.width - MARGIN || y > this.height - MARGIN) this.move(this.width / 2 - x, this.height / 2 - y);
    this.point(node);
  }

  resize() {
    const { clientWidth, clientHeight } = this.place;
    if (!clientWidth || (clientWidth === this.width && clientHeight === this.height)) return;
    [this.width, this.height] = [clientWidth, clientHeight];
    this.sharp = Math.min(2, devicePixelRatio || 1);
    for (const canvas of [this.under, this.over]) {
      canvas.width = Math.round(clientWidth * this.sharp);
      canvas.height = Math.round(clientHeight * this.sharp);
    }
    this.ink();
    this.fit();
    this.redraw();
    if (this.centre >= 0) this.point(this.centre);
  }

  ink() {
    const style = getComputedStyle(this.place);
    const read = (name) => style.getPropertyValue(name).trim();
    this.colours = { line: read("--quiet"), text: read("--text"), node: read("--accent"), bad: read("--bad"), back: read("--surface"), font: "12px system-ui, sans-serif" };
  }

  fit() {
    const { left, right, top, bottom } = boundsOf(this.drawn.x, this.drawn.y, this.drawn.shown);
    const scale = Math.min((this.width - 2 * MARGIN) / Math.max(1, right - left), (this.height - 2 * MARGIN) / Math.max(1, bottom - top), 1.2);
    this.scale = Math.max(scale, 0.02);
    this.x = this.width / 2 - ((left + right) / 2) * this.scale;
    this.y = this.height / 2 - ((top + bottom) / 2) * this.scale;
  }

  move(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.later();
  }

  zoom(factor, x, y) {
    const scale = Math.max(0.02, Math.min(4, this.scale * factor));
    this.x = x - ((x - this.x) * scale) / this.scale;
    this.y = y - ((y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.later();
  }

  // While it moves, the last picture is moved: that costs the same for ten nodes and for three thousand.
  later() {
    if (!this.frame) {
      this.frame = requestAnimationFrame(() => {
        this.frame = 0;
        const { x, y, scale } = this.taken;
        const factor = this.scale / scale;
        this.under.style.transformOrigin = "0 0";
        this.under.style.transform = `translate(${this.x - x * factor}px, ${this.y - y * factor}px) scale(${factor})`;
        this.highlight();
      });
    }
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.redraw(), REST_MS);
  }

  onScreen(node) {
    return [this.drawn.x[node] * this.scale + this.x, this.drawn.y[node] * this.scale + this.y];
  }

  redraw() {
    if (!this.width) return;
    this.taken = { x: this.x, y: this.y, scale: this.scale };
    this.under.style.transform = "none";
    const pen = this.pen(this.under);
    const { graph, colours } = this;
    const isShown = new Uint8Array(graph.names.length);
    for (const node of this.drawn.shown) isShown[node] = 1;
    pen.lineWidth = 1;
    pen.globalAlpha = Math.max(0.04, Math.min(0.35, 100 / graph.edges.length));
    // Around one node, what its neighbours have with each other would hide what they have with it.
    const isDrawn = (source, target) => isShown[source] && isShown[target] && (this.centre < 0 || source === this.centre || target === this.centre);
    this.lines(pen, ([source, target]) => isDrawn(source, target) && !this.isCircle(source, target), colours.line);
    const circular = graph.edges.filter(([source, target]) => isDrawn(source, target) && this.isCircle(source, target));
    pen.globalAlpha = Math.max(0.08, Math.min(0.6, 60 / circular.length));
    this.lines(pen, ([source, target]) => isDrawn(source, target) && this.isCircle(source, target), colours.bad);
    pen.globalAlpha = 1;
    for (const node of this.drawn.shown) this.dot(pen, node);
    this.labels(pen);
    this.highlight();
  }

  isCircle(source, target) {
    return this.graph.cycles[source] !== 0 && this.graph.cycles[source] === this.graph.cycles[target];
  }

  lines(pen, isWanted, colour) {
    pen.strokeStyle = colour;
    pen.beginPath();
    for (const edge of this.graph.edges) {
      if (!isWanted(edge)) continue;
      const [x, y] = this.onScreen(edge[0]);
      const [endX, endY] = this.onScreen(edge[1]);
      if (Math.max(x, endX) < 0 || Math.min(x, endX) > this.width || Math.max(y, endY) < 0 || Math.min(y, endY) > this.height) continue;
      this.line(pen, x, y, endX, endY);
    }
    pen.stroke();
  }

  // Within a row a straight line would run through all between: it goes over them.
  line(pen, x, y, endX, endY) {
    pen.moveTo(x, y);
    if (Math.abs(y - endY) > 1) pen.lineTo(endX, endY);
    else pen.quadraticCurveTo((x + endX) / 2, y - Math.min(70, Math.abs(endX - x) * 0.25), endX, endY);
  }

  dot(pen, node) {
    const [x, y] = this.onScreen(node);
    const size = this.size(node);
    if (x < -size || y < -size || x > this.width + size || y > this.height + size) return;
    pen.fillStyle = this.graph.cycles[node] ? this.colours.bad : this.colours.node;
    pen.beginPath();
    pen.arc(x, y, size, 0, 7);
    pen.fill();
  }

  size(node) {
    return Math.max(1.5, Math.min(9, (3 + Math.sqrt(this.graph.files[node])) * Math.min(1, this.scale + 0.35)));
  }

  name(node) {
    const whole = this.graph.labels?.[node] ?? this.graph.names[node];
    const parts = whole.split("/");
    const short = parts.length > 2 ? `…/${parts.slice(-2).join("/")}` : whole;
    return short.length > 34 ? `${short.slice(0, 33)}…` : short;
  }

  // Names where there is room for them: those with most links first, none over another.
  labels(pen) {
    const { uses, users, shown } = this.drawn;
    const weight = (node) => uses[node].length + users[node].length;
    const taken = [];
    pen.font = this.colours.font;
    // Where dots stand close, names would hide what they name: only the weightiest have one until one comes closer.
    const most = shown.length > MANY && this.scale < CLOSE ? FEW_LABELS : MOST_LABELS;
    let number = 0;
    for (const node of [...shown].sort((one, other) => weight(other) - weight(one))) {
      if (number >= most) break;
      if (node === this.centre) continue; // it is always named, above the rest
      const [x, y] = this.onScreen(node);
      if (x < 0 || y < 0 || x > this.width || y > this.height) continue;
      const text = this.name(node);
      const wide = pen.measureText(text).width;
      const left = Math.max(4, Math.min(this.width - wide - 4, x - wide / 2));
      const top = this.labelTop(node, y);
      const box = [left - 3, top, left + wide + 3, top + 16];
      if (box[1] < 0 || box[3] > this.height || taken.some((other) => box[0] < other[2] && box[2] > other[0] && box[1] < other[3] && box[3] > other[1])) continue;
      taken.push(box);
      number++;
      this.write(pen, text, left, box[3] - 4);
    }
  }

  // Around one node names stand on the far side of it, where no line runs.
  labelTop(node, y) {
    const isAbove = this.centre >= 0 && this.drawn.y[node] < 0;
    return isAbove ? y - this.size(node) - 18 : y + this.size(node) + 2;
  }

  write(pen, text, x, y) {
    pen.lineWidth = 4;
    pen.lineJoin = "round";
    pen.strokeStyle = this.colours.back;
    pen.strokeText(text, x, y);
    pen.fillStyle = this.colours.text;
    pen.fillText(text, x, y);
  }

  point(node) {
    if (node === this.pointed) return;
    this.pointed = node;
    this.tell(node);
    this.highlight();
  }

  // What the node that is pointed at uses and who uses it, on a canvas of its own.
  highlight() {
    const pen = this.pen(this.over);
    const node = this.pointed >= 0 ? this.pointed : this.here;
    if (node < 0) return;
    const { uses, users } = this.drawn;
    const isShown = new Set(this.drawn.shown);
    const near = [...new Set([...uses[node], ...users[node]])].filter((each) => isShown.has(each));
    const [x, y] = this.onScreen(node);
    pen.strokeStyle = this.colours.node;
    pen.lineWidth = 1.5;
    pen.beginPath();
    for (const each of near) {
      const [endX, endY] = this.onScreen(each);
      this.line(pen, x, y, endX, endY);
    }
    pen.stroke();
    pen.strokeStyle = this.colours.text;
    pen.lineWidth = 2;
    pen.beginPath();
    pen.arc(x, y, this.size(node) + 3, 0, 7);
    pen.stroke();
    pen.font = this.colours.font;
    const text = this.name(node);
    const wide = pen.measureText(text).width;
    const left = node === this.centre ? x + this.size(node) + 10 : x - wide / 2;
    this.write(pen, text, Math.max(4, Math.min(this.width - wide - 4, left)), node === this.centre ? y - 8 : this.labelTop(node, y) + 12);
  }

  nodeAt(x, y) {
    let best = -1;
    let least = NEAR;
    for (const node of this.drawn.shown) {
      const [nodeX, nodeY] = this.onScreen(node);
      const distance = Math.hypot(nodeX - x, nodeY - y) - this.size(node);
      if (distance < least) [best, least] = [node, distance];
    }
    return best;
  }

  pen(canvas) {
    const pen = canvas.getContext("2d");
    pen.setTransform(this.sharp, 0, 0, this.sharp, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    return pen;
  }
}
