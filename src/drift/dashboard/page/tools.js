// Tools: all of them, with how much they were used and how it went.

import { badge, choice, command, count, element, heading, notice, searchField, table } from "./elements.js";

const HEALTH_TONES = { healthy: "good", degraded: "warn", unhealthy: "bad" };

export async function show(main, page) {
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
    heading("Tools", "Everything an agent can call here, and how it went.", command("drift tools")),
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
    { title: "Health", cell: (tool) => [badge(tool.health, HEALTH_TONES[tool.health]), element("br", {}), element("span", { class: "quiet small-text" }, tool.healthReason)] },
    { title: "Server", cell: (tool) => [tool.server, element("br", {}), element("span", { class: "quiet" }, tool.category)] },
    { title: "Effect", cell: (tool) => tool.effect },
    { title: `Calls${period}`, isNumber: true, cell: (tool) => count(tool.calls) },
    { title: "Errors", isNumber: true, cell: (tool) => count(tool.errors) },
    { title: "Average", isNumber: true, cell: (tool) => (tool.averageMs === null || tool.averageMs === undefined ? "–" : `${tool.averageMs.toLocaleString("en")} ms`) },
  ];
}
