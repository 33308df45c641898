// Quality: health with its parts, hotspots, trends, debt, duplicates side by side, security.

import { fileAddress } from "./addresses.js";
import { badge, bar, command, count, element, figures, fileLink, heading, later, moment, notices, onRequest, opening, placeLine, plural, prose, section, shape, table, unavailable } from "./elements.js";
import { lines } from "./places.js";

const MOST_DOTS = 300;
const NAMED = 7;
const SEVERITY_TONES = { critical: "bad", high: "bad", error: "bad", medium: "warn", warning: "warn", low: null };

export async function show(main, page) {
  const status = await page.keep("status");
  main.append(heading("Quality", "How the product's code stands, where it hurts, and where it goes."));
  if (status.problem || !status.answer.data.index.exists) {
    main.append(unavailable("Nothing can be said yet", status.problem ?? { code: "SCAN_REQUIRED", message: "The project was not scanned." }));
    return "Nothing can be said yet";
  }
  main.append(healthSection(page, status.answer.data.health), hotspotSection(page), trendSection(page), gateSection(page), securitySection(page), flowSection(page), invariantSection(page), debtSection(page), duplicateSection(page), commentSection(page));
  return "Quality loaded";
}

const tone = (score) => (score === null || score === undefined ? null : score >= 80 ? "good" : score >= 60 ? "warn" : "bad");

function scorecard(score, parts, measuredAt) {
  return [
    element("p", { class: `score ${tone(score) ?? ""}` }, element("strong", {}, score === null ? "not known" : score), element("span", { class: "quiet" }, score === null ? "" : `of 100${measuredAt ? `, measured ${moment(measuredAt)}` : ""}`)),
    element("ul", { class: "rows" }, parts.map((part) => element("li", { class: "rule" }, element("div", {}, part.part, part.reason ? element("span", { class: "place" }, part.reason) : null),
      element("div", { class: "share" }, part.score === null ? element("span", { class: "quiet small-text" }, "not known") : [bar(part.score / 100, tone(part.score), `${part.score} of 100`), element("span", { class: "quiet small-text" }, `${part.score} of 100`)])))),
  ];
}

function healthSection(page, health) {
  const place = element("div", {});
  const known = health && health.score !== null && health.score !== undefined;
  const measure = element("button", { type: "button", onclick: async () => {
    measure.disabled = true;
    measure.textContent = "Measuring…";
    const { answer, problem } = await page.ask("health").catch((error) => ({ problem: { message: error.message } }));
    if (problem) place.replaceChildren(unavailable("The health cannot be measured", problem));
    else place.replaceChildren(...notices(answer.warnings), ...scorecard(answer.data.score, answer.data.parts), trend("Health, each time it was measured", answer.data.trend.map((each) => [each.at.slice(0, 10), each.score])), command("drift analyze-health"));
    page.tell(problem ? problem.message : answer.summary);
  } }, "Measure now");
  if (known) place.append(...scorecard(health.score, Object.entries(health.parts ?? {}).map(([part, score]) => ({ part, score })), health.measuredAt));
  else place.append(element("p", { class: "quiet" }, ...prose(health?.reason ?? "Not known: the health was not measured yet. It takes from seconds to minutes.")));
  place.append(measure, command("drift analyze-health"));
  return section("Health", place);
}

// Points over time as a line, with its ends in words; one point is said.
function trend(title, points) {
  if (points.length < 2) return element("p", { class: "quiet small-text" }, points.length ? `${title}: ${points[0][1]} on ${points[0][0]}, the first time.` : `${title}: nothing was kept yet.`);
  const values = points.map(([, value]) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (low === high) return element("p", { class: "quiet small-text" }, `${title}: ${count(low)} from ${points[0][0]} to ${points.at(-1)[0]}, without a change.`);
  const path = values.map((value, at) => `${(6 + (588 * at) / (values.length - 1)).toFixed(1)},${(92 - (84 * (value - low)) / (high - low || 1)).toFixed(1)}`).join(" ");
  const [first, last] = [points[0], points.at(-1)];
  return element("figure", {}, element("figcaption", { class: "quiet small-text" }, `${title}: ${first[1]} on ${first[0]}, ${last[1]} on ${last[0]}; between ${low} and ${high}`),
    shape("svg", { class: "chart", viewBox: "0 0 600 100", role: "img", "aria-label": title }, shape("polyline", { class: "trend", points: path })));
}

function trendSection(page) {
  return later("Trends", async () => {
    const { answer, problem } = await page.keep("trends");
    if (problem) return unavailable("Trends are not known", problem);
    return [...answer.data.trends.map((each) => trend(each.title, each.points)), command("drift report")];
  });
}

function hotspotSection(page) {
  return later("Hotspots", async () => {
    const [map, churn, complexity] = await Promise.all([page.keep("map"), page.keep("map/colour", { by: "churn" }), page.keep("map/colour", { by: "complexity" })]);
    const problem = map.problem ?? churn.problem ?? complexity.problem;
    if (problem) return unavailable("Hotspots are not known", problem);
    const { paths, lines: sizes, tests } = map.answer.data;
    const isTest = new Set(tests);
    const rows = paths.map((path, at) => ({ path, lines: sizes[at], commits: churn.answer.data.values[at], hardest: complexity.answer.data.values[at], isTest: isTest.has(at) }))
      .filter((row) => row.commits && row.hardest && !row.isTest).sort((one, other) => other.commits * other.hardest - one.commits * one.hardest);
    const commands = [command(churn.answer.data.measure.command), command(complexity.answer.data.measure.command)];
    if (!rows.length) return [element("p", { class: "quiet" }, churn.answer.data.notes[0] ?? "No file of the product both changed in the last year and has a function that branches."), ...commands];
    const columns = [
      { title: "File", cell: (row) => fileLink(row.path) },
      { title: "Commits in a year", isNumber: true, cell: (row) => count(row.commits) },
      { title: "Hardest function", isNumber: true, cell: (row) => count(row.hardest) },
      { title: "Product", isNumber: true, cell: (row) => count(row.commits * row.hardest) },
    ];
    return [element("p", { class: "quiet" }, "Files that change often and are hard to follow are where the next fault is made."), dots(rows.slice(0, MOST_DOTS)), element("br", {}), table(`The first 12 of ${plural(rows.length, "file")}`, columns, rows.slice(0, 12)), ...commands];
  });
}

function dots(rows) {
  const most = (key) => Math.max(...rows.map((row) => row[key]));
  const share = (value, all) => (all > 1 ? Math.log(value) / Math.log(all) : 0.5);
  const [commits, hardest] = [most("commits"), most("hardest")];
  const drawn = rows.map((row, at) => {
    const [x, y, size] = [50 + share(row.commits, commits) * 560, 300 - share(row.hardest, hardest) * 270, 3 + Math.min(9, Math.sqrt(row.lines) / 7)];
    const anchor = shape("a", { href: fileAddress(row.path), "aria-label": `${row.path}: ${row.commits} commits, hardest function ${row.hardest}`, ...(at < NAMED ? {} : { tabindex: -1 }) },
      shape("circle", { class: at < NAMED ? "dot hot" : "dot", cx: x.toFixed(1), cy: y.toFixed(1), r: size.toFixed(1) }));
    const title = shape("title", {});
    title.textContent = `${row.path}: ${row.commits} commits, hardest function ${row.hardest}`;
    anchor.append(title);
    return { anchor, x, y, size, name: row.path.split("/").slice(-2).join("/") };
  });
  const taken = [];
  const names = [];
  for (const { x, y, size, name } of drawn.slice(0, NAMED)) {
    const wide = Math.min(name.length, 26) * 7;
    const left = x + size + 4 + wide > 716 ? x - size - 4 - wide : x + size + 4;
    if (taken.some(([otherX, otherY, otherWide]) => Math.abs(otherY - y) < 14 && left < otherX + otherWide && otherX < left + wide)) continue;
    taken.push([left, y, wide]);
    const label = shape("text", { class: "name", x: left.toFixed(1), y: (y + 4).toFixed(1) });
    label.textContent = name.length > 26 ? `${name.slice(0, 25)}…` : name;
    names.push(label);
  }
  const axis = (text, x, y) => { const made = shape("text", { x, y }); made.textContent = text; return made; };
  return shape("svg", { class: "chart", viewBox: "0 0 720 340", role: "group", "aria-label": "Files by commits and complexity" },
    shape("line", { class: "axis", x1: 40, y1: 312, x2: 716, y2: 312 }), shape("line", { class: "axis", x1: 40, y1: 8, x2: 40, y2: 312 }),
    axis(`commits in a year, 1 to ${commits} →`, 44, 332), axis(`↑ cognitive complexity of the hardest function, 1 to ${hardest}`, 48, 16), ...drawn.map((each) => each.anchor).reverse(), ...names);
}

function gateSection(page) {
  return later("Runs of the gate", async () => {
    const { answer, problem } = await page.keep("gates");
    if (problem) return unavailable("Runs are not known", problem);
    const { runs } = answer.data;
    if (!runs.length) return [element("p", { class: "quiet" }, "None was kept: nobody has asked yet whether a change may go in."), command("drift check")];
    const columns = [
      { title: "When", isShort: true, cell: (row) => moment(row.at) },
      { title: "Outcome", cell: (row) => badge(row.status, { passed: "good", warned: "warn", failed: "bad", errored: "bad" }[row.status]) },
      { title: "Score", isNumber: true, cell: (row) => (row.score === null ? "–" : count(row.score)) },
      { title: "Policy", cell: (row) => row.policy },
      { title: "Of", cell: (row) => row.scope },
      { title: "Commit", cell: (row) => element("code", {}, (row.head ?? "–").slice(0, 10)) },
      { title: "By", cell: (row) => row.actor },
    ];
    return [table(`The last ${plural(runs.length, "run")}`, columns, runs.slice(0, 10)), command("drift check")];
  });
}

function securitySection(page) {
  return onRequest("Security", "Looks for secrets, raw SQL, open routes and flows of untrusted data. On a large project it takes a minute.", async () => {
    const { answer, problem, command: line } = await page.keep("security");
    if (problem) return unavailable("Security is not known", problem);
    const { overview, violations } = answer.data;
    return [...notices(answer.warnings), figures([
      [count(overview.secrets), "secrets in the code", overview.secrets ? "bad" : "good"], [count(overview.flows), "flows of untrusted data", overview.flows ? "bad" : "good"], [count(overview.rawSql), "places with raw SQL", overview.rawSql ? "warn" : "good"],
      [count(overview.openRoutes), `of ${plural(overview.routes, "route")} without a guard`, overview.openRoutes ? "warn" : "good"], [overview.sensitiveFields === null ? null : count(overview.sensitiveFields), "sensitive fields"], [count(overview.violations), "boundaries broken", overview.violations ? "bad" : "good"]]),
    ...(violations?.length ? [element("ul", { class: "rows" }, violations.slice(0, 12).map((row) => element("li", {}, prose(row.message), placeLine(row.file, row.line))))] : []), command(line)];
  });
}

function flowSection(page) {
  return onRequest("Findings with their paths", "Follows data from requests to where it does harm. It takes from seconds to minutes.", async () => {
    const { answer, problem, command: line } = await page.keep("security/flows");
    if (problem) return unavailable("The flows are not known", problem);
    const { findings } = answer.data;
    if (!findings.length) return [element("p", {}, badge("none", "good"), ` ${answer.summary}`), command(line)];
    return [element("p", {}, answer.summary), element("ul", { class: "rows" }, findings.map((row) => element("li", {}, badge(row.severity, SEVERITY_TONES[row.severity]), ` ${row.kind} in `, element("code", {}, row.function), placeLine(row.path, row.line, `, ${row.cwe}, ${row.confidence} confidence`),
      opening("The way of the data", () => [element("ol", { class: "timeline" }, row.steps.map((step) => element("li", {}, step.what, placeLine(step.path, step.line)))), element("p", { class: "small-text" }, row.remedy)])))), command(line)];
  });
}

function invariantSection(page) {
  return onRequest("Invariants", "Layers, wrappers, guards on routes: what the code holds to or wrote down, and what breaks it.", async () => {
    const { answer, problem } = await page.keep("invariants");
    if (problem) return unavailable("Invariants are not known", problem);
    const { summary, constraints, violations, problems } = answer.data;
    return [...notices(problems), element("p", {}, violations.length ? null : [badge("kept", "good"), " "], summary, "."),
      ...(violations.length ? [element("ul", { class: "rows" }, violations.map((row) => element("li", {}, badge(row.severity, SEVERITY_TONES[row.severity]), ` ${row.message}`, placeLine(row.file, row.line))))] : []),
      constraints.length ? opening(plural(constraints.length, "invariant"), () => element("ul", { class: "rows" }, constraints.map((row) => element("li", { class: "rule" }, element("div", {}, row.rule, " ", badge(row.status)),
        element("div", { class: "share" }, row.sites ? [bar(row.holding / row.sites, row.holding < row.sites ? "warn" : "good", `${row.holding} of ${row.sites}`), element("span", { class: "quiet small-text" }, `${count(row.holding)} of ${plural(row.sites, "place")}`)] : element("span", { class: "quiet small-text" }, "not counted"))))))
        : element("p", { class: "quiet" }, "Nothing here is sure enough to be one, and .drift/rules has none."),
      command("drift constraints verify")];
  });
}

function debtSection(page) {
  return onRequest("Technical debt", "Weighs complexity, churn, coupling, clones, debt comments and missing tests of every file.", async () => {
    const { answer, problem, command: line } = await page.keep("debt");
    if (problem) return unavailable("The debt is not known", problem);
    const data = answer.data;
    const columns = [
      { title: "File", cell: (row) => fileLink(row.file) },
      { title: "Grade (0 to 5)", isNumber: true, cell: (row) => row.score },
      { title: "Most of it", cell: (row) => row.primary.replaceAll("_", " ") },
      { title: "Hours", isNumber: true, cell: (row) => row.hours },
    ];
    return [...notices(answer.warnings), figures([[count(data.critical), "critical files", data.critical ? "bad" : "good"], [count(data.warning), "files to watch", data.warning ? "warn" : "good"], [count(Math.round(data.estimated_debt_hours)), "hours to mend all findings"]]), table("Files with most debt", columns, data.hotspots ?? []), command(line)];
  });
}

function duplicateSection(page) {
  return onRequest("Duplicates", "Compares all code with all other. On a large project it takes a minute.", async () => {
    const { answer, problem, command: line } = await page.keep("duplicates");
    if (problem) return unavailable("Duplicates are not known", problem);
    const data = answer.data;
    const rows = data.clusters ?? [];
    return [...notices(answer.warnings), figures([[`${data.percentage} %`, "of the code stands elsewhere, too", data.percentage > 5 ? "warn" : "good"], [count(data.total_clusters), "groups of clones"]]),
      element("ul", { class: "rows" }, rows.map((row) => element("li", {}, `${plural(row.lines, "line")}, ${count(row.copies)} times, ${row.kind}`, ...row.places.slice(0, 4).map((place) => placeLine(place.file, place.line, place.symbol ? ` in ${place.symbol}` : "")), opening("Side by side", () => sideBySide(page, row))))), command(line)];
  });
}

async function sideBySide(page, row) {
  const shown = await Promise.all(row.places.slice(0, 2).map((place) => lines(page, place.file, place.line, place.end_line)));
  return element("div", { class: "pair" }, shown.map((each, at) => element("div", {}, placeLine(row.places[at].file, row.places[at].line), each)));
}

function commentSection(page) {
  return later("Debt that comments admit", async () => {
    const { answer, problem, command: line } = await page.keep("admitted");
    if (problem) return unavailable("Comments are not known", problem);
    const rows = answer.data.items ?? [];
    return [element("p", {}, answer.summary, "."), element("ul", { class: "rows" }, rows.slice(0, 8).map((row) => element("li", {}, badge(row.severity, SEVERITY_TONES[row.severity]), ` ${row.text}`, placeLine(row.file, row.line, row.age_days === null || row.age_days === undefined ? "" : `, ${plural(row.age_days, "day")} old`)))), command(line)];
  });
}
