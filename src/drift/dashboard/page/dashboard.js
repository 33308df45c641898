// The page: which view is shown, where data comes from, and what a screen reader is told.

import { readAddress } from "./addresses.js";
import { element, notice } from "./elements.js";
import { startSearch } from "./search.js";

// Pages of places belong to the map, which leads to them.
const BELONGS = { file: "map", symbol: "map" };
const MODULES = { file: "places", symbol: "places" };
const main = document.getElementById("main");
const news = document.getElementById("news");
const links = [...document.querySelectorAll("nav a")];
const known = new Set([...links.map((link) => link.dataset.view), ...Object.keys(BELONGS)]);
const PATIENCE_MS = 200; // less, and quick views would flicker
let turn = 0;
let kept = new Map();
let leave = null;

function tell(text) {
  news.textContent = text;
}

async function get(where) {
  let reply;
  try {
    reply = await fetch(where, { headers: { accept: "application/json" } });
  } catch {
    throw new Error("The dashboard does not answer; it may have been stopped. Start it again with: drift dashboard");
  }
  const body = await reply.json();
  if (!reply.ok) throw new Error(body.message ?? body.error ?? `The dashboard answered ${reply.status}`);
  return body;
}

function ask(name, given = {}) {
  const words = new URLSearchParams(Object.entries(given).filter(([, value]) => value)).toString();
  return get(`/api/${name}${words ? `?${words}` : ""}`);
}

// The same answer again until the page is refreshed: wholes are large, and walking through them is quick.
function keep(name, given = {}) {
  const key = JSON.stringify([name, given]);
  if (!kept.has(key)) {
    const asked = ask(name, given);
    kept.set(key, asked);
    asked.then((reply) => { if (reply.problem) kept.delete(key); }, () => kept.delete(key));
  }
  return kept.get(key);
}

// Only the last of several answers is drawn: an early question may be answered late.
function latest(load) {
  let last = 0;
  return async () => {
    const own = ++last;
    let draw;
    try {
      draw = await load();
    } catch (error) {
      draw = () => { tell(error.message); main.prepend(notice(error.message)); };
    }
    if (own === last) draw();
  };
}

// Changes the address without leaving the view, so that what is chosen can be linked to.
function note(where) {
  history.replaceState(null, "", where);
}

async function show({ takesFocus, isRefresh = false }) {
  const own = ++turn;
  const asked = readAddress(location.hash);
  const name = known.has(asked.view) ? asked.view : "overview";
  const listed = BELONGS[name] ?? name;
  for (const link of links) {
    if (link.dataset.view === listed) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const title = asked.subject || links.find((link) => link.dataset.view === listed).textContent;
  document.title = `${title} – Drift`;
  const filled = element("div", { "data-view": name });
  main.setAttribute("aria-busy", "true");
  tell("Loading…");
  // What was shown before would look like the answer.
  const slow = isRefresh ? 0 : setTimeout(() => {
    if (own !== turn) return;
    leave?.();
    leave = null;
    main.replaceChildren(element("div", { class: "top" }, element("h1", {}, title), element("p", {}, "Looking…")));
  }, PATIENCE_MS);
  let said;
  let ended = null;
  const page = { ...asked, view: name, ask, keep, get, tell, latest, note, onLeave: (end) => { ended = end; } };
  try {
    const view = await import(`./${MODULES[name] ?? name}.js`);
    said = await view.show(filled, page);
  } catch (error) {
    filled.append(notice(error.message));
    said = error.message;
  }
  clearTimeout(slow);
  if (own !== turn) {
    ended?.();
    return;
  }
  leave?.();
  leave = ended;
  main.replaceChildren(filled);
  main.removeAttribute("aria-busy");
  performance.mark("view"); // what is measured as the time until it can be used
  if (said) tell(said);
  if (takesFocus) {
    main.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
}

window.addEventListener("hashchange", () => {
  if (location.hash !== "#main") show({ takesFocus: true });
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
document.getElementById("refresh").addEventListener("click", () => {
  kept = new Map();
  show({ takesFocus: false, isRefresh: true });
});
startSearch(document.getElementById("search"), { ask, tell });

show({ takesFocus: false });
ask("status").then(({ answer }) => {
  if (answer) document.getElementById("project").textContent = answer.data.project.name;
}, () => {}); // the view that is shown says what went wrong
