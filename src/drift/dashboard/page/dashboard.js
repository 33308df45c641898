// The page: which view is shown, where data comes from, and what a screen reader is told.

import { element, notice } from "./elements.js";
import * as views from "./views.js";

const main = document.getElementById("main");
const news = document.getElementById("news");
const links = [...document.querySelectorAll("nav a")];
let turn = 0;

function tell(text) {
  news.textContent = text;
}

async function get(address) {
  let reply;
  try {
    reply = await fetch(address, { headers: { accept: "application/json" } });
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

function wanted() {
  const name = location.hash.slice(1);
  return links.some((link) => link.dataset.view === name) ? name : "overview";
}

async function show({ takesFocus }) {
  const own = ++turn;
  const name = wanted();
  for (const link of links) {
    if (link.dataset.view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${links.find((link) => link.dataset.view === name).textContent} – Drift`;
  const filled = element("div", { "data-view": name });
  main.setAttribute("aria-busy", "true");
  tell("Loading…");
  let said;
  try {
    said = await views[name](filled, { ask, get, tell, latest });
  } catch (error) {
    filled.append(notice(error.message));
    said = error.message;
  }
  if (own !== turn) return;
  main.replaceChildren(filled);
  main.removeAttribute("aria-busy");
  if (said) tell(said);
  if (takesFocus) main.focus();
}

window.addEventListener("hashchange", () => {
  if (location.hash !== "#main") show({ takesFocus: true });
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
document.getElementById("refresh").addEventListener("click", () => show({ takesFocus: false }));

show({ takesFocus: false });
ask("status").then(({ answer }) => {
  if (answer) document.getElementById("project").textContent = answer.data.project.name;
}, () => {}); // the view that is shown says what went wrong
