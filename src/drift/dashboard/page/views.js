// One function per view: it gets `ask` and fills the main part. Everything shown is data from the tools.

import { badge, card, choice, count, day, element, empty, facts, moment, notice, notices, opening, searchField, table, unavailable } from "./elements.js";

const HEALTH_TONES = { healthy: "good", degraded: "warn", unhealthy: "bad" };
const STATUS_TONES = { approved: "good", review: "warn", draft: null, deprecated: "bad" };
const FRESHNESS = { fresh: ["up to date", "good"], stale: ["behind the files", "warn"], unknown: ["not known", null] };

export async function overview(main, page) {
  const [status, memory, catalog] = await Promise.all([page.ask("status"), page.ask("memory"), page.ask("catalog")]);
  main.append(element("h1", {}, "Overview"));
  if (status.problem) {
    main.append(unavailable("The project cannot be read", status.problem));
  } else {
    main.append(...notices(status.answer.warnings));
  }
  const cards = status.problem ? [] : statusCards(status.answer);
  main.append(element("div", { class: "cards" }, ...cards, catalogCard(catalog), memoryCard(memory)));
  return "Overview loaded";
}

function statusCards(answer) {
  const { project, index, languages, server, health } = answer.data;
  const git = project.branch || project.head ? `${project.branch ?? "detached"} ${(project.head ?? "").slice(0, 10)}` : "no repository";
  return [
    card("Project", facts([["Name", project.name], ["Root", element("code", {}, project.root)], ["Git", git], ["Drift", server.version]])),
    card("Index", index.exists ? indexFacts(index, answer.meta) : element("p", {}, "Not scanned yet. Run ", element("code", {}, "drift scan"), ".")),
    ...(health ? [card("Health", healthFacts(health))] : []),
    card("Languages", languages.length
      ? facts(languages.map((found) => [found.language, `${found.confidence} confidence: ${found.evidence.join(", ")}`]))
      : element("p", { class: "quiet" }, "None that Drift knows.")),
  ];
}

function healthFacts(health) {
  return facts([
    ["Score", health.score === null ? "not known" : `${health.score} of 100`],
    ["Measured", health.measuredAt ? moment(health.measuredAt) : null],
    ...Object.entries(health.parts ?? {}).map(([name, score]) => [name, score]),
    ["Note", health.reason],
  ]);
}

function indexFacts(index, meta) {
  const [shown, tone] = FRESHNESS[meta.freshness] ?? [meta.freshness, null];
  const calls = index.calls ?? {};
  const total = Object.values(calls).reduce((sum, each) => sum + each, 0);
  return facts([
    ["State", index.problem ? badge("unusable", "bad") : badge(shown, tone)],
    ["Problem", index.problem],
    ["Scanned", moment(index.scannedAt)],
    ["Files", count(index.files)],
    ["Symbols", count(index.symbols)],
    ["Calls", total ? `${count(total)}: ${Object.entries(calls).map(([name, number]) => `${count(number)} ${name}`).join(", ")}` : count(0)],
    ["Layers", index.layers.join(", ") || "none"],
  ]);
}

function catalogCard({ answer, problem }) {
  if (problem) return card("Instructions", element("p", {}, badge("not available"), " ", problem.message));
  const { status, catalogStats, problems } = answer.data;
  return card("Instructions", facts([
    ["Health", badge(status, HEALTH_TONES[status])],
    ["Instructions", count(catalogStats.totalInstructions)],
    ["Overdue reviews", catalogStats.overdueReviews ? badge(count(catalogStats.overdueReviews), "warn") : "0"],
    ["Broken files", catalogStats.brokenFiles ? badge(count(catalogStats.brokenFiles), "bad") : "0"],
    ["Trouble", (problems ?? []).join("; ")],
    ["Hash", element("code", {}, catalogStats.integrityHash.slice(0, 16))],
  ]));
}

function memoryCard({ answer, problem }) {
  if (problem) return card("Memory", element("p", {}, badge("not available"), " ", problem.message));
  const data = answer.data;
  if (!data.exists) return card("Memory", element("p", { class: "quiet" }, answer.summary));
  return card("Memory", facts([
    ["Current", count(data.current)],
    ["Archived", count(data.archived)],
    ["Confidence left", data.averageConfidence === null ? null : `${Math.round(data.averageConfidence * 100)} % on average`],
    ["Links", count(data.edges)],
    ["Size", `${(data.sizeBytes / 1e6).toFixed(1)} MB`],
  ]));
}

export async function tools(main, page) {
  const listing = await page.get("/tools.json");
  const chosen = { text: "", server: "", health: "", order: "" };
  const place = element("div", {});
  const show = () => {
    const words = chosen.text.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = listing.tools.filter((tool) => (!chosen.server || tool.server === chosen.server)
      && (!chosen.health || tool.health === chosen.health)
      && words.every((word) => `${tool.name} ${tool.title} ${tool.category}`.toLowerCase().includes(word)));
    if (chosen.order) rows.sort((one, other) => (other[chosen.order] ?? -1) - (one[chosen.order] ?? -1));
    place.replaceChildren(table(`${count(rows.length)} of ${count(listing.tools.length)} tools`, toolColumns(listing), rows));
    page.tell(`${rows.length} tools shown`);
  };
  const servers = [...new Set(listing.tools.map((tool) => tool.server))];
  main.append(
    element("h1", {}, "Tools"),
    ...usageNotes(listing),
    element("div", { class: "controls" },
      searchField("Filter by name, title or category", (text) => { chosen.text = text; show(); }, 80),
      choice("Server", [["", "All"], ...servers.map((name) => [name, name])], (value) => { chosen.server = value; show(); }),
      choice("Health", [["", "All"], ...["healthy", "degraded", "unhealthy", "unknown"].map((name) => [name, name])], (value) => { chosen.health = value; show(); }),
      choice("Order", [["", "As listed"], ["calls", "Most called"], ["averageMs", "Slowest"], ["errors", "Most errors"]], (value) => { chosen.order = value; show(); })),
    place);
  show();
  return `${listing.tools.length} tools loaded`;
}

function usageNotes(listing) {
  if (listing.usageProblem) return [notice(listing.usageProblem)];
  if (listing.usageEnabled) return [];
  return [element("p", { class: "quiet" }, "Calls are not counted in this project. ", element("code", {}, "drift telemetry enable"), " counts them, on this machine only.")];
}

function toolColumns(listing) {
  const period = listing.usageDays ? ` (${listing.usageDays} days)` : "";
  return [
    { title: "Tool", cell: (tool) => [element("code", {}, tool.name), element("br", {}), element("span", { class: "quiet" }, tool.title)] },
    { title: "Server", cell: (tool) => tool.server },
    { title: "Category", cell: (tool) => tool.category },
    { title: "Effect", cell: (tool) => tool.effect },
    { title: `Calls${period}`, isNumber: true, cell: (tool) => count(tool.calls) },
    { title: "Errors", isNumber: true, cell: (tool) => count(tool.errors) },
    { title: "Average", isNumber: true, cell: (tool) => (tool.averageMs === null || tool.averageMs === undefined ? "–" : `${tool.averageMs.toLocaleString("en")} ms`) },
    { title: "Health", cell: (tool) => [badge(tool.health, HEALTH_TONES[tool.health]), " ", element("span", { class: "quiet" }, tool.healthReason)] },
  ];
}

export async function catalog(main, page) {
  const health = await page.ask("catalog");
  main.append(element("h1", {}, "Instructions"));
  if (health.problem) {
    main.append(unavailable("Instructions are not available", health.problem));
    return "Instructions are not available";
  }
  const chosen = { q: "", status: "", tier: "", overdue: "" };
  const place = element("div", {});
  const show = page.latest(() => queryCatalog(place, page, chosen));
  main.append(
    ...notices(health.answer.data.problems),
    element("div", { class: "controls" },
      searchField("Search title and text", (text) => { chosen.q = text; show(); }),
      choice("Status", [["", "All"], ...Object.keys(STATUS_TONES).map((name) => [name, name])], (value) => { chosen.status = value; show(); }),
      choice("Priority", [["", "All"], ...["P1", "P2", "P3", "P4"].map((name) => [name, name])], (value) => { chosen.tier = value; show(); }),
      checkbox("Review overdue", (isOn) => { chosen.overdue = isOn ? "1" : ""; show(); })),
    place);
  await show();
  return null;
}

function checkbox(title, onchange) {
  const box = element("input", { type: "checkbox", onchange: () => onchange(box.checked) });
  return element("label", { class: "check" }, box, title);
}

async function queryCatalog(place, page, chosen) {
  const rows = [];
  const load = async (cursor) => {
    const { answer, problem } = await page.ask("catalog/query", { ...chosen, cursor });
    if (problem) return () => place.replaceChildren(unavailable("The search failed", problem));
    const known = rows.length;
    rows.push(...answer.data.items);
    return () => {
      draw(answer);
      // The button that was pressed is gone: go on with the first of the new rows.
      if (known) place.querySelectorAll("summary")[known]?.focus();
    };
  };
  const draw = (answer) => {
    const { total, nextCursor } = answer.data;
    page.tell(`${rows.length} of ${total} instructions shown`);
    if (!rows.length) {
      const isChosen = Object.values(chosen).some(Boolean);
      place.replaceChildren(...notices(answer.warnings), isChosen ? empty("Nothing fits", "Change the words or the filters.")
        : empty("No instructions yet", "They are JSON files in .drift/instructions, one per id."));
      return;
    }
    const more = nextCursor ? element("button", { type: "button", class: "more", onclick: page.latest(() => load(nextCursor)) }, "Show more") : null;
    place.replaceChildren(...notices(answer.warnings), table(`${count(rows.length)} of ${count(total)} instructions`, INSTRUCTION_COLUMNS, rows), ...(more ? [more] : []));
  };
  return load("");
}

const INSTRUCTION_COLUMNS = [
  { title: "Instruction", cell: (row) => opening([row.title, " ", element("code", { class: "quiet" }, row.id)], () => instructionDetail(row)) },
  { title: "Status", cell: (row) => badge(row.status, STATUS_TONES[row.status]) },
  { title: "Priority", isShort: true, cell: (row) => `${row.priorityTier} (${row.priority})` },
  { title: "Requirement", cell: (row) => row.requirement },
  { title: "Owner", isName: true, cell: (row) => row.owner },
  { title: "Version", cell: (row) => row.version },
  { title: "Review due", isShort: true, cell: (row) => reviewDue(row) },
  { title: "Used", isNumber: true, cell: (row) => count(row.usageCount ?? 0) },
];

function reviewDue(row) {
  if (!row.nextReviewDue) return "not set";
  const holds = row.status !== "deprecated" && row.requirement !== "deprecated";
  const isOverdue = holds && Date.parse(row.nextReviewDue) < Date.now();
  return isOverdue ? [day(row.nextReviewDue), " ", badge("overdue", "warn")] : day(row.nextReviewDue);
}

function instructionDetail(row) {
  return [
    element("pre", {}, row.body),
    facts([
      ["Categories", row.categories.join(", ")],
      ["Audience", row.audience],
      ["Classification", row.classification],
      ["Rationale", row.rationale],
      ["Last review", row.lastReviewedAt && day(row.lastReviewedAt)],
      ["Updated", row.updatedAt && day(row.updatedAt)],
      ["Supersedes", row.supersedes],
      ["Deprecated by", row.deprecatedBy],
      ["Source hash", element("code", {}, row.sourceHash)],
      ["Governance hash", element("code", {}, row.governanceHash)],
      ["Changes", (row.changeLog ?? []).map((line) => `${line.version} (${day(line.changedAt)}): ${line.summary}`).join("; ")],
    ]),
  ];
}

export async function memory(main, page) {
  const status = await page.ask("memory");
  main.append(element("h1", {}, "Memory"));
  if (status.problem) {
    main.append(unavailable("Memory is not available", status.problem));
    return "Memory is not available";
  }
  const data = status.answer.data;
  if (!data.exists || !data.total) {
    main.append(empty("Nothing has been saved yet", "Agents keep what they learn with save_memory, people with `drift memory`."));
    return "Nothing has been saved yet";
  }
  const chosen = { q: "", type: "" };
  const place = element("div", {});
  const show = page.latest(() => searchMemories(place, page, chosen));
  const kinds = Object.entries(data.byType).map(([name, number]) => [name, `${name} (${count(number)})`]);
  main.append(
    element("p", { class: "quiet" }, status.answer.summary),
    element("div", { class: "controls" },
      searchField("Search memories", (text) => { chosen.q = text; show(); }),
      choice("Type", [["", "All"], ...kinds], (value) => { chosen.type = value; show(); })),
    place);
  await show();
  return null;
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

export async function packs(main, page) {
  const { answer, problem } = await page.ask("packs");
  main.append(element("h1", {}, "Packs"));
  if (problem) {
    main.append(unavailable("Packs are not available", problem));
    return "Packs are not available";
  }
  const rows = answer.data.packs ?? [];
  const columns = [
    { title: "Pack", cell: (row) => [element("code", {}, row.name), " ", row.isCustom ? badge("of this project") : null].filter(Boolean) },
    { title: "Does", cell: (row) => row.does },
    { title: "Tools here", cell: (row) => row.tools },
  ];
  main.append(...notices(answer.warnings), rows.length ? table(`${count(rows.length)} packs`, columns, rows) : empty("No packs"));
  return `${rows.length} packs loaded`;
}
