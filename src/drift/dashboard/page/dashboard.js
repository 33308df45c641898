// The page: which view is shown, where data comes from, and what a screen reader is told.

import { readAddress } from "./addresses.js";
import { element, heading, labelled, notice } from "./elements.js";
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

// A page for several people asks for a token; it is forgotten with the tab.
async function send(where, given = {}) {
  const token = sessionStorage.getItem("token");
  const headers = { accept: "application/json", ...given.headers, ...(token ? { authorization: `Bearer ${token}` } : {}) };
  let reply;
  try {
    reply = await fetch(where, { ...given, headers });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The dashboard does not answer; it may have been stopped. Start it again with: drift dashboard");
  }
  if (reply.status === 401) {
    askForToken(Boolean(token));
    throw new Error("A token is needed.");
  }
  return reply;
}

async function get(where, given = {}) {
  const reply = await send(where, given);
  const body = await reply.json();
  if (!reply.ok) throw new Error(body.message ?? body.error_description ?? body.error ?? `The dashboard answered ${reply.status}`);
  return body;
}

// Server-sent events, each as it comes.
async function follow(where, signal, tell) {
  const reply = await send(where, { signal });
  if (!reply.ok) throw new Error(`The dashboard answered ${reply.status}`);
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Error("The dashboard does not answer; it may have been stopped. Start it again with: drift dashboard");
    const events = (rest + value).split("\n\n");
    rest = events.pop();
    for (const event of events) if (event.startsWith("data: ")) tell(JSON.parse(event.slice(6)));
  }
}

let session = null;

function openSession() {
  session ??= get("/api/session").catch(() => { session = null; return { mayWrite: false, key: null }; });
  return session;
}

async function decide(decision) {
  const { key } = await openSession();
  return get("/api/decide", { method: "POST", body: JSON.stringify(decision), headers: { "content-type": "application/json", "x-drift-key": key ?? "" } });
}

function askForToken(wasWrong) {
  const field = element("input", { type: "password", autocomplete: "off", required: true });
  const enter = (event) => {
    event.preventDefault();
    sessionStorage.setItem("token", field.value.trim());
    again();
  };
  turn++;
  main.removeAttribute("aria-busy");
  main.replaceChildren(element("div", { "data-view": "token" }, heading("This page asks for a token", wasWrong ? "The one you gave is not valid any more, or was never." : "Whoever runs this server hands them out; it is kept in this tab alone."),
    element("form", { class: "controls", onsubmit: enter }, labelled("Token", field), element("button", {}, "Show the page"))));
  tell("A token is needed");
  field.focus();
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
  const ends = [];
  const ended = () => ends.forEach((end) => end());
  const page = { ...asked, view: name, ask, keep, get, follow, session: openSession, decide, again, tell, latest, note, onLeave: (end) => { ends.push(end); } };
  try {
    const view = await import(`./${MODULES[name] ?? name}.js`);
    said = await view.show(filled, page);
  } catch (error) {
    filled.append(notice(error.message));
    said = error.message;
  }
  clearTimeout(slow);
  if (own !== turn) {
    ended();
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
// Everything is asked for anew.
async function again(said = null) {
  kept = new Map();
  session = null;
  nameProject();
  await show({ takesFocus: false, isRefresh: true });
  if (said) tell(said);
}

function nameProject() {
  ask("status").then(({ answer }) => {
    if (answer) document.getElementById("project").textContent = answer.data.project.name;
  }, () => {}); // the view that is shown says what went wrong
  openSession().then(({ mayWrite }) => {
    if (mayWrite) document.querySelector(".aside").textContent = "Conventions can be decided here; all else only reads.";
  });
}

document.getElementById("refresh").addEventListener("click", () => again());
startSearch(document.getElementById("search"), { ask, tell });

show({ takesFocus: false });
nameProject();
