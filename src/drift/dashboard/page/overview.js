// Overview: how project, index, health, instructions and memory stand.

import { badge, card, command, count, element, facts, figures, heading, moment, notices, unavailable } from "./elements.js";

const HEALTH_TONES = { healthy: "good", degraded: "warn", unhealthy: "bad" };
const FRESHNESS = { fresh: ["up to date", "good"], stale: ["behind the files", "warn"], unknown: ["not known", null] };

export async function show(main, page) {
  const [status, memory, catalog] = await Promise.all([page.ask("status"), page.ask("memory"), page.ask("catalog")]);
  main.append(heading("Overview", "How the project, its index and what is known of it stand.", command("drift status")));
  if (status.problem) {
    main.append(unavailable("The project cannot be read", status.problem));
  } else {
    main.append(...notices(status.answer.warnings), glance(status.answer.data, memory, catalog));
  }
  const cards = status.problem ? [] : statusCards(status.answer);
  main.append(element("div", { class: "cards" }, ...cards, catalogCard(catalog), memoryCard(memory)));
  return "Overview loaded";
}

function glance({ index, health, conventions }, memory, catalog) {
  const score = health?.score ?? null;
  return figures([
    [score, "health of 100", score >= 80 ? "good" : score >= 60 ? "warn" : "bad", "#quality"],
    [index.exists ? count(index.files) : null, "files", null, "#map"], [index.exists ? count(index.symbols) : null, "symbols", null, "#graph?level=symbol"],
    [conventions?.conventions ?? null, "conventions", null, "#conventions"], [conventions?.outliers ?? null, "places that break one", null, "#conventions?only=outliers"],
    [memory.answer ? count(memory.answer.data.current ?? 0) : null, "memories", null, "#memory"], [catalog.answer ? count(catalog.answer.data.catalogStats.totalInstructions) : null, "instructions", null, "#catalog"],
  ]);
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
