// The search that stands on every view: symbols and files by words of their names, walked by keys.

import { fileAddress, symbolAddress } from "./addresses.js";
import { element } from "./elements.js";

const PAUSE_MS = 150;

export function startSearch(form, { ask, tell }) {
  const list = element("ul", { id: "found", role: "listbox", "aria-label": "Found", hidden: true });
  const field = element("input", {
    id: "words", type: "search", autocomplete: "off", maxlength: "400", role: "combobox",
    "aria-expanded": "false", "aria-controls": "found", "aria-autocomplete": "list",
  });
  form.append(element("label", { for: "words" }, "Find a file or symbol"), field, list);
  let rows = [];
  let chosen = -1;
  let timer;
  let turn = 0;

  const close = () => {
    list.hidden = true;
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
  };
  const choose = (number) => {
    list.children[chosen]?.setAttribute("aria-selected", "false");
    chosen = number;
    const row = list.children[chosen];
    if (!row) return;
    row.setAttribute("aria-selected", "true");
    row.scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", row.id);
  };
  const open = (row) => {
    close();
    field.value = "";
    location.hash = row.kind === "module" ? fileAddress(row.file) : symbolAddress(row.file, row.line);
  };
  const search = async () => {
    clearTimeout(timer);
    const own = ++turn;
    const words = field.value.trim();
    if (!words) return close();
    let reply;
    try {
      reply = await ask("places", { q: words, limit: 20 });
    } catch (error) {
      return tell(error.message);
    }
    if (own !== turn) return undefined;
    rows = reply.answer?.data.places ?? [];
    const none = reply.problem ? `${reply.problem.message} ${reply.problem.hint ?? ""}` : "Nothing has these words.";
    list.replaceChildren(...(rows.length ? rows.map(shown) : [element("li", { class: "none", role: "option", "aria-disabled": "true", "aria-selected": "false" }, none)]));
    list.hidden = false;
    field.setAttribute("aria-expanded", "true");
    chosen = -1;
    if (rows.length) choose(0);
    return tell(rows.length ? `${rows.length} found` : none);
  };
  const shown = (row, number) => element("li", { id: `found-${number}`, role: "option", "aria-selected": "false", onpointerdown: (event) => { event.preventDefault(); open(row); } },
    element("code", {}, row.symbol), " ", element("span", { class: "quiet small-text" }, row.kind === "module" ? "file" : row.kind),
    row.kind === "module" ? null : element("span", { class: "place" }, `${row.file}:${row.line}`));

  field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(search, PAUSE_MS); });
  field.addEventListener("blur", close);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    if ((event.key === "ArrowDown" || event.key === "ArrowUp") && rows.length && !list.hidden) {
      event.preventDefault();
      choose((chosen + (event.key === "ArrowDown" ? 1 : -1) + rows.length) % rows.length);
    }
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (list.hidden) await search();
    else if (rows[chosen]) open(rows[chosen]);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    event.preventDefault();
    field.focus();
  });
}
