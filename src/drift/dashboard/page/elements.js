// Elements of the page. Text from outside goes in as text nodes only: nothing here reads markup.

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

export function badge(text, tone) {
  return element("span", { class: tone ? `badge ${tone}` : "badge" }, text);
}

export function card(title, ...children) {
  return element("section", { class: "card" }, element("h2", {}, title), ...children);
}

export function facts(rows) {
  const known = rows.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return element("dl", {}, known.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}

export function notice(text) {
  return element("div", { class: "notice" }, element("p", {}, text));
}

export function notices(texts) {
  return (texts ?? []).map(notice);
}

export function empty(title, ...lines) {
  return element("div", { class: "empty" }, element("h2", {}, title), lines.filter(Boolean).map((line) => element("p", { class: "quiet" }, line)));
}

// A part that could not be read, with the reason and the way out.
export function unavailable(title, problem) {
  return empty(title, problem.message, problem.hint, problem.command ? `Run: ${problem.command}` : null);
}

// columns: [{title, cell(row), isNumber, isShort, isName}]; the first is the header of its row.
export function table(caption, columns, rows) {
  const head = columns.map((column) => element("th", { scope: "col", class: column.isNumber ? "number" : null }, column.title));
  const body = rows.map((row) => element("tr", {}, columns.map((column, place) => cell(column, row, place))));
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    element("table", {}, element("caption", {}, caption), element("thead", {}, element("tr", {}, head)), element("tbody", {}, body)));
}

function cell(column, row, place) {
  const shown = column.cell(row);
  const properties = { class: column.isNumber ? "number" : column.isShort ? "short" : column.isName ? "name" : null };
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

export function count(number) {
  return number === null || number === undefined ? "–" : number.toLocaleString("en");
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

export function choice(title, options, onchange) {
  const select = element("select", { onchange: () => onchange(select.value) },
    options.map(([value, shown]) => element("option", { value }, shown)));
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
