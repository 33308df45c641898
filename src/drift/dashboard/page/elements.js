// Elements of the page. Text from outside goes in as text nodes only: nothing here reads markup.

import { fileAddress, symbolAddress } from "./addresses.js";

const SVG = "http://www.w3.org/2000/svg";

export function element(name, properties, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined).map(asNode));
  return made;
}

function asNode(child) {
  return child instanceof Node ? child : document.createTextNode(String(child));
}

// The same in a drawing.
export function shape(name, properties, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (value !== null && value !== undefined) made.setAttribute(key, String(value));
  }
  made.append(...children);
  return made;
}

// Words in which `names` stand between back-quotes, as answers write them.
export function prose(text) {
  return String(text).split("`").map((part, at) => (at % 2 ? element("code", {}, part) : part));
}

// The head of a view: its title, and a sentence on what it shows.
export function heading(title, ...lead) {
  return element("div", { class: "top" }, element("h1", {}, title), lead.filter(Boolean).map((line) => (line instanceof Node ? line : element("p", {}, prose(line)))));
}

export function link(href, ...text) {
  return element("a", { href }, ...text);
}

export function fileLink(file, shown = file) {
  return link(fileAddress(file), shown);
}

export function symbolLink(name, file, line) {
  return link(symbolAddress(file, line), element("code", {}, name));
}

// A place in the code under what is said of it.
export function placeLine(file, line, ...more) {
  return element("span", { class: "place" }, fileLink(file, line ? `${file}:${line}` : file), ...more);
}

// The command that gives the same figures, to be copied.
export function command(text, title = "In a terminal:") {
  const button = element("button", { type: "button", class: "small", "aria-label": `Copy: ${text}`, onclick: async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = "Selected";
    }
  } }, "Copy");
  const code = element("code", {}, text);
  return element("div", { class: "command" }, element("span", {}, title), code, button);
}

// A text as one word of a command: a quote in it would end the shell's own.
export function quoted(text) {
  return /^[\w./@:+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

// figures: [[value, what it is, tone, where it is told]]; null is said to be unknown.
export function figures(rows) {
  return element("ul", { class: "figures" }, rows.map(([value, name, tone, href]) => {
    const isKnown = value !== null && value !== undefined;
    const shown = element("strong", {}, isKnown ? value : "not known");
    return element("li", { class: isKnown ? tone : "unknown" }, shown, element("span", {}, href ? link(href, name) : name));
  }));
}

export function bar(share, tone, title) {
  const inside = element("i", {});
  inside.style.width = `${Math.max(0, Math.min(1, share)) * 100}%`;
  return element("span", { class: `bar ${tone ?? ""}`, role: "img", "aria-label": title ?? `${Math.round(share * 100)} %` }, inside);
}

// Code with the numbers of its lines.
export function code(lines, first) {
  return element("pre", { class: "code", tabindex: "0", role: "region", "aria-label": `Code from line ${first}` }, lines.flatMap((line, at) => [
    element("span", { class: "at", "aria-hidden": "true" }, first + at), element("span", {}, line || " ")]));
}

export function section(title, ...children) {
  return element("section", {}, element("h2", {}, title), ...children);
}

// A section that is filled when its answer is there, so that slow ones keep nobody waiting.
export function later(title, load) {
  const place = element("div", {}, element("p", { class: "quiet" }, "Looking…"));
  fill(place, load);
  return section(title, place);
}

// A section that costs time, so that a person starts it.
export function onRequest(title, why, load) {
  const place = element("div", {});
  const start = element("button", { type: "button", onclick: () => {
    place.replaceChildren(element("p", { class: "quiet", tabindex: "-1" }, "Looking…"));
    place.firstChild.focus();
    fill(place, load);
  } }, "Look now");
  place.append(element("p", { class: "quiet" }, why), start);
  return section(title, place);
}

async function fill(place, load) {
  try {
    place.replaceChildren(...[await load()].flat().filter(Boolean));
  } catch (error) {
    place.replaceChildren(notice(error.message));
  }
}

export function badge(text, tone) {
  return element("span", { class: tone ? `badge ${tone}` : "badge" }, text);
}

export function card(title, ...children) {
  return element("section", { class: "card" }, element("h2", {}, title), ...children);
}

export function facts(rows) {
  const known = rows.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return element("dl", {}, known.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, typeof value === "string" ? prose(value) : value)]));
}

export function notice(text) {
  return element("div", { class: "notice" }, element("p", {}, prose(text)));
}

export function notices(texts) {
  return (texts ?? []).map(notice);
}

export function empty(title, ...lines) {
  return element("div", { class: "empty" }, element("h2", {}, title), lines.filter(Boolean).map((line) => element("p", { class: "quiet" }, prose(line))));
}

// A part that could not be read, with the reason and the way out.
export function unavailable(title, problem) {
  const way = problem.command ?? (problem.code === "SCAN_REQUIRED" ? "drift scan" : null);
  const shown = empty(title, problem.message, way && problem.hint?.includes(way) ? null : problem.hint);
  if (way) shown.append(command(way, "Run:"));
  return shown;
}

// columns: [{title, cell(row), isNumber, isShort, isName, isWide}]; the first is the header of its row.
export function table(caption, columns, rows) {
  const head = columns.map((column) => element("th", { scope: "col", class: column.isNumber ? "number" : null }, column.title));
  const body = rows.map((row) => element("tr", {}, columns.map((column, place) => cell(column, row, place))));
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    element("table", {}, element("caption", {}, caption), element("thead", {}, element("tr", {}, head)), element("tbody", {}, body)));
}

function cell(column, row, place) {
  const shown = column.cell(row);
  const properties = { class: column.isNumber ? "number" : column.isShort ? "short" : column.isName ? "name" : column.isWide ? "wide" : null };
  if (place === 0) return element("th", { ...properties, scope: "row" }, shown);
  return element("td", { ...properties, "data-label": column.title }, element("span", {}, shown ?? "–"));
}

// Opens to what `fill` makes, which is asked for when it is first opened.
export function opening(title, fill) {
  const inside = element("div", { class: "detail" });
  const whole = element("details", {}, element("summary", {}, title), inside);
  let isFilled = false;
  whole.addEventListener("toggle", async () => {
    if (!whole.open || isFilled) return;
    isFilled = true;
    inside.replaceChildren(element("p", { class: "quiet" }, "Loading…"));
    try {
      inside.replaceChildren(...[await fill()].flat());
    } catch (error) {
      isFilled = false;
      inside.replaceChildren(notice(error.message));
    }
  });
  return whole;
}

const NUMBERS = new Intl.NumberFormat("en");

export function count(number) {
  return number === null || number === undefined ? "–" : NUMBERS.format(number);
}

export function plural(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

export function day(text) {
  return text ? text.slice(0, 10) : "–";
}

export function moment(text) {
  return text ? text.slice(0, 16).replace("T", " ") + " UTC" : "–";
}

export function labelled(title, control) {
  return element("label", {}, title, control);
}

export function choice(title, options, onchange, chosen = null) {
  const select = element("select", { onchange: () => onchange(select.value) },
    options.map(([value, shown]) => element("option", { value, selected: value === chosen }, shown)));
  return labelled(title, select);
}

// A search field that waits until typing pauses; Enter does not wait.
export function searchField(title, onsearch, pauseMs = 250) {
  let timer;
  const search = () => { clearTimeout(timer); onsearch(field.value.trim()); };
  const field = element("input", {
    type: "search", autocomplete: "off", maxlength: "400",
    oninput: () => { clearTimeout(timer); timer = setTimeout(search, pauseMs); },
    onkeydown: (event) => { if (event.key === "Enter") search(); },
  });
  return labelled(title, field);
}

export function checkbox(title, onchange, isOn = false) {
  const box = element("input", { type: "checkbox", checked: isOn, onchange: () => onchange(box.checked) });
  return element("label", { class: "check" }, box, title);
}
