// Graph: packages, folders or files and what they use, or one of them and what is around it.

import { address } from "./addresses.js";
import { Board } from "./board.js";
import { badge, checkbox, choice, command, count, element, empty, fileLink, heading, later, link, notices, opening, placeLine, plural, section, symbolLink, unavailable } from "./elements.js";
import { placeAround, placeNodes } from "./layers.js";

const LEVELS = [["folder", "Folders"], ["package", "Packages"], ["file", "Files"], ["symbol", "Symbols"]];
const MOST_NAMED = 12;

export async function show(main, page) {
  const level = LEVELS.some(([name]) => name === page.chosen.level) ? page.chosen.level : "folder";
  const hasTests = page.chosen.tests === "yes";
  const found = level === "symbol" ? await aroundSymbol(page) : await wholeGraph(page, level, hasTests);
  main.append(heading(page.subject || "Graph", found.lead ?? "Who uses whom. What is used stands below what uses it; what goes round in a circle is red."), controls(page, level, hasTests));
  if (found.problem) {
    main.append(unavailable("There is no graph", found.problem));
    return "There is no graph";
  }
  if (found.missing) {
    main.append(found.missing);
    return "Choose a symbol";
  }
  const { graph } = found;
  const centre = page.subject ? graph.names.indexOf(page.subject) : -1;
  if (!graph.names.length || (page.subject && centre < 0)) {
    main.append(page.subject ? empty("It is not in this graph", page.subject, "Nothing is known to use it, and it uses nothing that is known; or it is of another level.") : empty("Nothing uses anything here", "The index knows no dependency at this level."));
    return "Nothing to draw";
  }
  const whole = placeNodes(graph);
  const drawn = centre < 0 ? { ...whole, shown: graph.names.map((_, node) => node) } : { ...whole, ...placeAround(graph, centre, whole.uses, whole.users) };
  const place = element("div", { class: "graph-place" });
  const told = element("div", { class: "told" });
  const panel = element("div", {});
  const open = (node) => { location.hash = nodeAddress(graph, level, node, page.chosen); };
  const tell = (node) => told.replaceChildren(...describe(graph, whole, node));
  main.append(place, told, command(found.command), panel);
  new Board(place, { graph, drawn, centre, open, tell, onLeave: page.onLeave });
  panel.append(...(centre < 0 ? overviewOf(page, graph, whole, level) : aroundNode(page, graph, whole, centre, level)));
  tell(centre);
  return `${plural(drawn.shown.length, "node")} drawn`;
}

function controls(page, level, hasTests) {
  const go = (chosen) => { location.hash = address("graph", "", chosen); };
  return element("div", { class: "controls" },
    choice("Nodes", LEVELS, (value) => go({ level: value, tests: hasTests ? "yes" : "" }), level),
    ...(level === "symbol" ? [] : [checkbox("Tests", (isOn) => { location.hash = address("graph", page.subject, { level, tests: isOn ? "yes" : "" }); }, hasTests)]),
    ...(page.subject && level !== "symbol" ? [element("p", { class: "small-text" }, link(address("graph", "", { level, tests: hasTests ? "yes" : "" }), "The whole graph"))] : []));
}

function nodeAddress(graph, level, node, { tests } = {}) {
  return level === "symbol" ? address("graph", graph.places[node], { level }) : address("graph", graph.names[node], { level, tests });
}

async function wholeGraph(page, level, hasTests) {
  const { answer, problem } = await page.keep("graph", { level, tests: hasTests ? 1 : "" });
  const withTests = hasTests ? "--with-tests" : "--no-with-tests";
  return { problem, graph: answer?.data, command: `drift coupling status --level ${level} ${withTests}` };
}

// A symbol with those that call it and those that it calls, from what is told of it.
async function aroundSymbol(page) {
  if (!page.subject) return { missing: await centralSymbols(page), lead: "Choose a symbol to see who calls it and what it calls: one of these, on which most lean, or any by the search." };
  const { answer, problem, command: line } = await page.keep("explain", { at: page.subject });
  if (problem) return { problem };
  const symbol = answer.data.symbol;
  if (!symbol) return { missing: empty("This is a file", page.subject, "Choose files as nodes.") };
  const graph = { names: [page.subject], labels: [symbol.symbol], places: [page.subject], files: [1], cycles: [0], heights: [1], edges: [] };
  const add = (row, height) => {
    const place = `${row.file}:${row.line}`;
    let node = graph.places.indexOf(place);
    if (node < 0) {
      node = graph.names.push(place) - 1;
      graph.labels.push(row.symbol);
      graph.places.push(place);
      graph.files.push(1);
      graph.cycles.push(0);
      graph.heights.push(height);
    }
    return node;
  };
  for (const row of symbol.usedBy ?? []) graph.edges.push([add(row, 2), 0, row.times]);
  for (const row of symbol.uses ?? []) graph.edges.push([0, add(row, 0), row.times]);
  return { graph, lead: `${symbol.kind} ${symbol.symbol}: who calls it above, what it calls below.`, command: line };
}

async function centralSymbols(page) {
  const { answer, problem, command: line } = await page.keep("central");
  if (problem) return unavailable("There is no graph", problem);
  const rows = answer.data.central ?? [];
  if (!rows.length) return empty("Nothing is called here", "The index knows no call between symbols of the project.");
  return section("Most central symbols", element("ul", { class: "rows" }, rows.map((row) => element("li", {}, link(address("graph", `${row.file}:${row.line}`, { level: "symbol" }), element("code", {}, row.symbol)), placeLine(row.file, row.line, `, ${plural(row.callers, "caller")}`)))), command(line));
}

function describe(graph, { uses, users }, node) {
  if (node < 0) return [element("p", { class: "quiet" }, "Drag to move, turn the wheel or press + and − to come closer. Arrow keys walk along dependencies, Enter puts a node in the middle.")];
  const cycle = graph.cycles[node] ? ", in a cycle" : "";
  return [element("strong", {}, graph.labels?.[node] ?? graph.names[node]), element("br", {}), `${plural(new Set(users[node]).size, "node")} use it, it uses ${count(new Set(uses[node]).size)}${cycle}${graph.labels ? `; ${graph.places[node]}` : ""}`];
}

function overviewOf(page, graph, whole, level) {
  const all = graph.names.map((_, node) => node);
  const most = (links) => all.map((node) => [node, new Set(links[node]).size]).sort((one, other) => other[1] - one[1]).slice(0, MOST_NAMED).filter(([, number]) => number);
  const list = (rows, word) => element("ul", { class: "rows" }, rows.map(([node, number]) => element("li", {}, link(nodeAddress(graph, level, node, page.chosen), graph.names[node]), element("span", { class: "place" }, `${count(number)} ${word}`))));
  const inCycle = graph.cycles.filter(Boolean).length;
  return [element("p", { class: "quiet" }, `${plural(graph.names.length, "node")}, ${plural(graph.edges.length, "dependency", "dependencies")}, ${plural(inCycle, "node")} in cycles. What has no dependency is left out.`),
    element("div", { class: "columns" }, section("Most used", list(most(whole.users), "use it")), section("Using most", list(most(whole.uses), "it uses")), cycleSection(page, level))];
}

function cycleSection(page, level) {
  return later("Cycles", async () => {
    const { answer, problem, command: line } = await page.keep("cycles", { level });
    if (problem) return unavailable("Cycles are not known", problem);
    const rows = [...(answer.data.cycles ?? [])].sort((one, other) => other.size - one.size);
    if (!rows.length) return element("p", {}, badge("none", "good"), " Nothing goes round in a circle.");
    return [...notices(answer.warnings), element("ul", { class: "rows" }, rows.map((row) => element("li", {},
      badge(row.severity, row.severity === "critical" ? "bad" : row.severity === "warning" ? "warn" : null), ` ${plural(row.size, "member")}: `, row.members.slice(0, 4).flatMap((name, at) => [at ? ", " : "", link(address("graph", name, { level }), name)]), row.size > 4 ? " …" : "",
      opening(`Opened by dropping ${plural(row.cuts, "dependency", "dependencies")}`, () => element("ul", { class: "rows" }, row.cut.map((cut) => element("li", {}, `${cut.source} → ${cut.target}`, element("span", { class: "place" }, `${cut.names.join(", ")} at ${cut.at}`)))))))), command(line)];
  });
}

function aroundNode(page, graph, { uses, users }, centre, level) {
  const rows = (nodes) => [...new Set(nodes)].map((node) => element("li", {}, link(nodeAddress(graph, level, node, page.chosen), graph.labels?.[node] ?? graph.names[node]), graph.labels ? element("span", { class: "place" }, graph.places[node]) : null));
  const list = (title, nodes) => section(`${title} (${count(new Set(nodes).size)})`, nodes.length ? element("ul", { class: "rows" }, rows(nodes)) : element("p", { class: "quiet" }, "None."));
  const own = level === "file" ? [fileLink(graph.names[centre], "The page of this file")] : level === "symbol" ? [symbolLink(graph.labels[centre], ...splitPlace(graph.places[centre]))] : [link(address("map", graph.names[centre]), "On the map")];
  return [element("p", {}, own), element("div", { class: "columns" }, list("Used by", users[centre]), list("Uses", uses[centre]), level === "symbol" ? null : moduleSection(page, level))];
}

function splitPlace(place) {
  const at = place.lastIndexOf(":");
  return [place.slice(0, at), place.slice(at + 1)];
}

function moduleSection(page, level) {
  return later("Which names", async () => {
    const { answer, problem, command: line } = await page.keep("module", { at: page.subject, level });
    if (problem) return unavailable("Not known", problem);
    const { dependencies } = answer.data.module;
    return [element("p", { class: "quiet" }, answer.summary), element("ul", { class: "rows" }, dependencies.slice(0, 20).map((row) => element("li", {}, `${row.module}: `, element("code", {}, row.names.join(", ")), placeLine(...splitPlace(row.at))))), command(line)];
  });
}
