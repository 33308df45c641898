// Memory: what was learned, how it fades, what contradicts, and how it hangs together.

import { address } from "./addresses.js";
import { badge, choice, command, count, element, empty, facts, figures, heading, later, link, notices, opening, plural, searchField, section, table, unavailable } from "./elements.js";

export async function show(main, page) {
  const status = await page.ask("memory");
  main.append(heading("Memory", "What agents and people learned here and kept.", command("drift call drift_memory_status")));
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
    element("div", { class: "columns" }, careSection(page), conflictSection(page), linkSection(page), newest(data.recent)),
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
    const { answer, problem } = await page.keep("memory/health");
    if (problem) return unavailable("How it stands is not known", problem);
    const { score, issues } = answer.data;
    return [figures([[score === null ? null : `${score} of 100`, "how well the memory is", score >= 80 ? "good" : score >= 60 ? "warn" : "bad"]]),
      issues.length ? element("ul", { class: "rows" }, issues.map((row) => element("li", {}, row.message, element("span", { class: "place" }, row.fix),
        ...row.ids.slice(0, 5).map((id) => element("span", { class: "place" }, link(address("memory", id), id)))))) : element("p", {}, badge("nothing", "good"), " Nothing fades, is stale or out of use."),
      command("drift call drift_memory_health")];
  });
}

function newest(rows) {
  return section("Learned last", element("ol", { class: "timeline" }, rows.map((row) => element("li", {}, link(address("memory", row.id), row.title), element("span", { class: "place" }, `${row.recorded}, ${row.type}`)))));
}

function conflictSection(page) {
  return later("What contradicts", async () => {
    const { answer, problem } = await page.keep("memory/conflicts");
    if (problem) return unavailable("Contradictions are not known", problem);
    const rows = answer.data.conflicts;
    return [rows.length ? element("ul", { class: "rows" }, rows.map((row) => element("li", {}, badge(row.type, row.type === "contradiction" ? "bad" : "warn"), " ", link(address("memory", row.a), row.a), " and ", link(address("memory", row.b), row.b),
      element("span", { class: "place" }, `${row.reason}. ${row.suggestion}`)))) : element("p", {}, badge("none", "good"), ` No two of ${plural(answer.data.examined, "memory", "memories")} contradict or repeat each other.`), command("drift call drift_memory_conflicts")];
  });
}

function linkSection(page) {
  return later("How they hang together", async () => {
    const { answer, problem } = await page.keep("memory/links");
    if (problem) return unavailable("Links are not known", problem);
    const titles = new Map((answer.data.nodes ?? []).map((node) => [node.id, node.title]));
    const edges = answer.data.edges ?? [];
    const shown = (id) => link(address("memory", id), titles.get(id) ?? id);
    return [edges.length ? element("ul", { class: "rows" }, edges.slice(0, 20).map((edge) => element("li", {}, shown(edge.source), ` ${edge.relation.replaceAll("_", " ")} `, shown(edge.target)))) : element("p", { class: "quiet" }, "No memory is linked to another."), command("drift call drift_memory_graph")];
  });
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
