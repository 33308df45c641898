// Memory: what was learned, how it fades, what contradicts, and how it hangs together.

import { address } from "./addresses.js";
import { Board } from "./board.js";
import { badge, choice, command, count, element, empty, facts, figures, heading, later, link, notices, opening, plural, prose, searchField, section, table, unavailable } from "./elements.js";
import { placeNodes } from "./layers.js";

export async function show(main, page) {
  const status = await page.ask("memory");
  main.append(heading("Memory", "What agents and people learned here and kept.", command("drift memory status")));
  if (status.problem) {
    main.append(unavailable("Memory is not available", status.problem));
    return "Memory is not available";
  }
  const data = status.answer.data;
  if (!data.exists || !data.total) {
    main.append(empty("Nothing has been saved yet", "Agents keep what they learn with save_memory, people with `drift memory`."));
    return "Nothing has been saved yet";
  }
  if (page.subject) {
    main.append(section(page.subject, ...[await memoryDetail(page, page.subject)].flat(), element("p", {}, link(address("memory"), "All memories"))));
    return page.subject;
  }
  const chosen = { q: "", type: "" };
  const place = element("div", {});
  const show = page.latest(() => searchMemories(place, page, chosen));
  const kinds = Object.entries(data.byType).map(([name, number]) => [name, `${name} (${count(number)})`]);
  main.append(
    figures([[count(data.current), "current"], [data.averageConfidence === null ? null : `${Math.round(data.averageConfidence * 100)} %`, "confidence left on average"], [count(data.edges), "links"], [count(data.superseded), "superseded"], [count(data.archived), "archived"]]),
    element("div", { class: "columns" }, careSection(page), conflictSection(page), newest(data.recent)),
    linkSection(page),
    element("h2", {}, "All of them"),
    element("div", { class: "controls" },
      searchField("Search memories", (text) => { chosen.q = text; show(); }),
      choice("Type", [["", "All"], ...kinds], (value) => { chosen.type = value; show(); })),
    place);
  await show();
  return null;
}

// What fades, what is stale, what nobody uses: each with what it costs the score and what to do.
function careSection(page) {
  return later("What needs care", async () => {
    const { answer, problem, command: line } = await page.keep("memory/health");
    if (problem) return unavailable("How it stands is not known", problem);
    const { score, issues } = answer.data;
    const linked = await page.keep("memory/links");
    const titles = new Map((linked.answer?.data.nodes ?? []).map((node) => [node.id, node.title]));
    return [figures([[score === null ? null : `${score} of 100`, "how well the memory is", score >= 80 ? "good" : score >= 60 ? "warn" : "bad"]]),
      issues.length ? element("ul", { class: "rows" }, issues.map((row) => element("li", {}, prose(row.message), element("span", { class: "place" }, prose(row.fix)),
        ...row.ids.slice(0, 5).map((id) => element("span", { class: "place" }, link(address("memory", id), titles.get(id) ?? id)))))) : element("p", {}, badge("nothing", "good"), " Nothing fades, is stale or out of use."),
      command(line)];
  });
}

function newest(rows) {
  return section("Learned last", element("ol", { class: "timeline" }, rows.map((row) => element("li", {}, link(address("memory", row.id), row.title), element("span", { class: "place" }, `${row.recorded}, ${row.type}`)))));
}

function conflictSection(page) {
  return later("What contradicts", async () => {
    const { answer, problem, command: line } = await page.keep("memory/conflicts");
    if (problem) return unavailable("Contradictions are not known", problem);
    const rows = answer.data.conflicts;
    return [rows.length ? element("ul", { class: "rows" }, rows.map((row) => element("li", {}, badge(row.type, row.type === "contradiction" ? "bad" : "warn"), " ", link(address("memory", row.a), row.a), " and ", link(address("memory", row.b), row.b),
      element("span", { class: "place" }, `${row.reason}. ${row.suggestion}`)))) : element("p", {}, badge("none", "good"), ` No two of ${plural(answer.data.examined, "memory", "memories")} contradict or repeat each other.`), command(line)];
  });
}

function linkSection(page) {
  return later("How they hang together", async () => {
    const { answer, problem, command: line } = await page.keep("memory/links");
    if (problem) return unavailable("Links are not known", problem);
    const titles = new Map((answer.data.nodes ?? []).map((node) => [node.id, node.title]));
    const edges = answer.data.edges ?? [];
    const shown = (id) => link(address("memory", id), titles.get(id) ?? id);
    return [edges.length ? drawLinks(page, answer.data.nodes, edges) : null, edges.length ? element("ul", { class: "rows" }, edges.slice(0, 20).map((edge) => element("li", {}, shown(edge.source), ` ${edge.relation.replaceAll("_", " ")} `, shown(edge.target)))) : element("p", { class: "quiet" }, "No memory is linked to another."), command(line)];
  });
}

// The same as a drawing: what leads to something stands above it.
function drawLinks(page, nodes, edges) {
  const at = new Map(nodes.map((node, place) => [node.id, place]));
  const pairs = edges.filter((edge) => at.has(edge.source) && at.has(edge.target)).map((edge) => [at.get(edge.source), at.get(edge.target), 1]);
  const heights = nodes.map(() => 0);
  // As often as there are rows to be had; what goes round in a circle stays where it is then.
  for (let turn = 0; turn < 8; turn++) for (const [source, target] of pairs) heights[source] = Math.min(8, Math.max(heights[source], heights[target] + 1));
  const graph = { names: nodes.map((node) => node.id), labels: nodes.map((node) => node.title), places: nodes.map((node) => node.id), files: nodes.map(() => 1), cycles: nodes.map(() => 0), heights, edges: pairs };
  const place = element("div", { class: "graph-place small" });
  const told = element("p", { class: "quiet small-text" }, "Arrow keys walk along links, Enter opens a memory.");
  const whole = placeNodes(graph);
  new Board(place, { graph, drawn: { ...whole, shown: graph.names.map((_, node) => node) }, centre: -1, open: (node) => { location.hash = address("memory", graph.names[node]); }, tell: (node) => { if (node >= 0) told.textContent = `${graph.labels[node]} (${graph.names[node]})`; }, onLeave: page.onLeave });
  return element("div", {}, place, told);
}

async function searchMemories(place, page, chosen) {
  const open = (row) => opening([row.title, " ", element("code", { class: "quiet" }, row.id)], () => memoryDetail(page, row.id));
  const kind = { title: "Type", cell: (row) => row.type };
  const left = { title: "Confidence left", isNumber: true, cell: (row) => (row.confidence === undefined || row.confidence === null ? "–" : `${Math.round(row.confidence * 100)} %`) };
  if (!chosen.q) return browseMemories(place, page, chosen.type, [{ title: "Memory", cell: open }, kind, left, { title: "Recorded", isShort: true, cell: (row) => row.recorded }]);
  const { answer, problem } = await page.ask("memory/search", chosen);
  if (problem) return () => place.replaceChildren(unavailable("The search failed", problem));
  const columns = [{ title: "Memory", cell: open }, kind, left, { title: "Found in", cell: (row) => row.snippet ?? "–" }];
  return () => {
    place.replaceChildren(...notices(answer.warnings), answer.data.results.length ? table(answer.summary, columns, answer.data.results) : empty("Nothing found", answer.summary));
    page.tell(answer.summary);
  };
}

async function browseMemories(place, page, type, columns) {
  const rows = [];
  const load = async (after) => {
    const { answer, problem } = await page.ask("memory/list", { type, after });
    if (problem) return () => place.replaceChildren(unavailable("They cannot be listed", problem));
    const known = rows.length;
    rows.push(...answer.data.memories);
    return () => {
      draw(answer.data.nextAfter);
      // As in the list of instructions: the button is gone.
      if (known) place.querySelectorAll("summary")[known]?.focus();
    };
  };
  const draw = (next) => {
    page.tell(`${rows.length} newest memories shown`);
    const more = next ? element("button", { type: "button", class: "more", onclick: page.latest(() => load(next)) }, "Show more") : null;
    place.replaceChildren(rows.length ? table("Newest memories", columns, rows) : empty("None of this type is current"), ...(more ? [more] : []));
  };
  return load("");
}

async function memoryDetail(page, id) {
  const { answer, problem } = await page.ask("memory/get", { id });
  if (problem) return unavailable("It cannot be shown", problem);
  const found = answer.data.memory;
  const list = (values) => (values ?? []).join(", ");
  return [
    element("pre", {}, found.text || found.title),
    facts([
      ["Importance", found.importance],
      ["Recorded", found.recorded],
      ["Source", found.source],
      ["Tags", list(found.tags)],
      ["Files", list(found.files)],
      ["Functions", list(found.functions)],
      ["Superseded by", found.supersededBy],
      ["Changes", count(answer.data.changes)],
      ["Links", (answer.data.edges ?? []).length || null],
    ]),
    ...(found.content ? [element("pre", {}, JSON.stringify(found.content, null, 2))] : []),
  ];
}
