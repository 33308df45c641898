// Conventions: the project's style guide as it is, with how many places keep each rule, examples and outliers.

import { address } from "./addresses.js";
import { badge, bar, choice, command, count, element, empty, facts, figures, heading, labelled, later, link, notice, notices, placeLine, plural, prose, quoted, searchField, section, unavailable } from "./elements.js";

const TONES = { approved: "good", stale: "warn", ignored: null, discovered: null };

export async function show(main, page) {
  return page.subject ? showOne(main, page) : showAll(main, page);
}

async function showAll(main, page) {
  main.append(heading("Conventions", "What this project decides how, counted from its code: the rule, and how many places keep it.", command("drift conventions")));
  const { rows, problem, answer } = await everyConvention(page);
  if (problem) {
    main.append(unavailable("Conventions are not known", problem));
    return "Conventions are not known";
  }
  const { undecided, problems } = answer.data;
  if (!rows.length) {
    main.append(...notices(problems), empty("No convention was found", "Too few places decide the same question, or they decide it in too many ways."));
    return "No convention was found";
  }
  const outliers = rows.reduce((sum, row) => sum + (row.outliers ?? 0), 0);
  const place = element("div", {});
  const chosen = { text: "", category: page.chosen.category ?? "", only: page.chosen.only ?? "" };
  const draw = () => {
    const words = chosen.text.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = rows.filter((row) => (!chosen.category || row.category === chosen.category) && (chosen.only !== "outliers" || row.outliers)
      && (!["approved", "discovered", "stale", "ignored"].includes(chosen.only) || row.status === chosen.only) && words.every((word) => `${row.rule} ${row.id}`.toLowerCase().includes(word)));
    page.note(address("conventions", "", { category: chosen.category, only: chosen.only }));
    place.replaceChildren(...(wanted.length ? groups(wanted) : [empty("Nothing fits", "Change the words or the filters.")]));
    page.tell(`${plural(wanted.length, "convention")} shown`);
  };
  const categories = [...new Set(rows.map((row) => row.category))].sort();
  main.append(...notices(problems),
    figures([[count(rows.length), "conventions"], [count(rows.filter((row) => row.status === "approved").length), "approved"], [count(outliers), "outliers", outliers ? "warn" : "good"], [count(undecided), "questions undecided"]]),
    element("div", { class: "controls" },
      searchField("Filter by words", (text) => { chosen.text = text; draw(); }, 80),
      choice("Category", [["", "All"], ...categories.map((name) => [name, name])], (value) => { chosen.category = value; draw(); }, chosen.category),
      choice("Show", [["", "All"], ["outliers", "With outliers"], ["approved", "Approved"], ["discovered", "Not decided on"], ["stale", "Stale"], ["ignored", "Ignored"]], (value) => { chosen.only = value; draw(); }, chosen.only)),
    place, trendSection(page));
  draw();
  return null;
}

async function everyConvention(page) {
  const rows = [];
  let cursor = "";
  for (;;) {
    const { answer, problem } = await page.keep("conventions", { cursor });
    if (problem) return { problem };
    rows.push(...answer.data.patterns);
    cursor = answer.pagination?.nextCursor ?? answer.pagination?.cursor;
    if (!cursor) return { rows, answer };
  }
}

function groups(rows) {
  const byCategory = Map.groupBy ? Map.groupBy(rows, (row) => row.category) : group(rows);
  return [...byCategory].sort(([one], [other]) => one.localeCompare(other)).map(([category, found]) => section(`${category} (${count(found.length)})`,
    element("ul", { class: "rows" }, found.sort((one, other) => (other.score ?? 0) - (one.score ?? 0)).map(ruleRow))));
}

function group(rows) {
  const found = new Map();
  for (const row of rows) found.set(row.category, [...(found.get(row.category) ?? []), row]);
  return found;
}

function ruleRow(row) {
  const isCounted = row.followed !== null && row.followed !== undefined && row.sites;
  const share = isCounted ? row.followed / row.sites : null;
  return element("li", { class: "rule" },
    element("div", {}, link(address("conventions", row.id), prose(row.rule)), row.status === "discovered" ? null : [" ", badge(row.status, TONES[row.status])]),
    element("div", { class: "share" }, isCounted ? bar(share, share < 0.9 ? "warn" : "good", `${count(row.followed)} of ${count(row.sites)} places`) : null,
      element("span", { class: "quiet small-text" }, isCounted ? `${count(row.followed)} of ${plural(row.sites, "place")}${row.outliers ? `, ${plural(row.outliers, "outlier")}` : ""}` : "not counted now")));
}

function trendSection(page) {
  return later("Trend", async () => {
    const { answer, problem, command: line } = await page.keep("convention/trends");
    if (problem) return unavailable("The trend is not known", problem);
    const { trends, since } = answer.data;
    if (!since) return [element("p", { class: "quiet" }, "Not known yet: what conventions come to is kept once a day, and there is no earlier day to compare with."), command(line)];
    return [element("p", {}, answer.summary), element("ul", { class: "rows" }, (trends ?? []).slice(0, 20).map((row) => element("li", {}, badge(row.type, row.type === "regression" ? "bad" : "good"), " ", link(address("conventions", row.id), row.id), ` ${row.measure}: ${row.before} → ${row.after}`))), command(line)];
  });
}

async function showOne(main, page) {
  const [{ answer, problem, command: line }, session] = await Promise.all([page.keep("convention", { at: page.subject }), page.session()]);
  const back = element("ol", { class: "crumbs" }, element("li", {}, link(address("conventions"), "conventions")), element("li", {}, page.subject));
  if (problem) {
    main.append(heading(page.subject, back), unavailable("This convention is not known", problem));
    return "This convention is not known";
  }
  const data = answer.data;
  const share = data.sites ? data.followed / data.sites : null;
  main.append(
    heading(prose(data.rule), back, data.why, command(line)),
    figures([[share === null ? null : `${Math.round(share * 1000) / 10} %`, "of places keep it", share < 0.9 ? "warn" : "good"], [count(data.followed), `of ${plural(data.sites, "place")}`], [count(data.files), "files"], [count(data.outlierCount), "outliers", data.outlierCount ? "warn" : "good"]]),
    facts([["Status", badge(data.status, TONES[data.status])], ["Category", data.category], ["Looks at", data.looksAt], ["How sure", `${data.confidence.level} (${data.confidence.score})`], ["Holds in", data.scope], ["First seen", data.firstSeen?.slice(0, 10)], ["Decided by", data.decidedBy], ["Reason", data.reason], ["Known limits", data.limits]]),
    decide(page, data, session),
    element("div", { class: "columns" },
      section("How it is done", element("ul", { class: "rows" }, data.variants.map((row) => element("li", {}, element("strong", {}, prose(row.means || row.variant)), bar(data.sites ? row.sites / data.sites : 0, null, `${row.sites} of ${data.sites}`), element("span", { class: "place" }, `${plural(row.sites, "place")} in ${plural(row.files, "file")}`))))),
      section(`Outliers (${count(data.outlierCount)})`, data.outliers?.length ? element("ul", { class: "rows" }, data.outliers.map((row) => element("li", {}, prose(row.reason), placeLine(row.file, row.line, row.since ? `, since ${row.since}` : "")))) : element("p", { class: "quiet" }, "No place does otherwise.")),
      section("Places that keep it", element("ul", { class: "rows" }, (data.locations ?? []).slice(0, 12).map((row) => element("li", {}, placeLine(row.file, row.line)))))),
    examples(page, data.id));
  return answer.summary;
}

// Approve or ignore: here where the session may write, else by the commands that do it.
function decide(page, data, session) {
  const files = [...new Set((data.locations ?? []).map((row) => row.file))].slice(0, 3);
  return section("Decide", session.mayWrite ? form(page, data, files) : commands(data, files));
}

function commands(data, files) {
  const typed = (action, evidence) => `drift curate ${action} --pattern-id ${quoted(data.id)} --evidence ${quoted(JSON.stringify(evidence))}`;
  return element("div", {}, element("p", { class: "quiet" }, prose("This page only reads. These commands write the decision into .drift/rules, to be reviewed and committed; with `drift dashboard --write` it can be made here.")),
    command(typed("approve", { files, reasoning: "WHY" }), "Approve:"), command(typed("ignore", { reasoning: "WHY" }), "Ignore:"));
}

function form(page, data, files) {
  const reason = element("textarea", { rows: "3", maxlength: "2000" });
  const said = element("div", { role: "status" });
  const send = (action) => async () => {
    said.replaceChildren(element("p", { class: "quiet" }, "Writing…"));
    const { answer: shown } = await page.keep("convention/examples", { at: data.id });
    const snippets = (shown?.data.examples ?? []).slice(0, 3).map((row) => row.code.split("\n").find((line) => line.trim().length > 8) ?? row.code);
    const evidence = { reasoning: reason.value.trim(), ...(action === "approve" ? { files, snippets } : {}) };
    try {
      const { answer, problem } = await page.decide({ action, patternId: data.id, evidence });
      if (problem) said.replaceChildren(notice([problem.message, problem.hint].filter(Boolean).join(". ")));
      else page.again(answer.summary);
    } catch (error) {
      said.replaceChildren(notice(error.message));
    }
  };
  return element("div", { class: "decide" }, labelled("Why", reason), element("div", { class: "controls" },
    element("button", { type: "button", onclick: send("approve") }, "Approve"), element("button", { type: "button", onclick: send("ignore") }, "Ignore")),
  element("p", { class: "quiet small-text" }, "It is written into .drift/rules, to be reviewed and committed. The less sure the convention is, the longer the reason has to be."), said);
}

function examples(page, id) {
  return later("Examples", async () => {
    const { answer, problem, command: line } = await page.keep("convention/examples", { at: id });
    if (problem) return unavailable("Examples are not known", problem);
    return [...answer.data.examples.map((row) => element("div", {}, placeLine(row.file, row.line), element("pre", { tabindex: "0", role: "region", "aria-label": `Code at ${row.file}:${row.line}` }, row.code))), command(line)];
  });
}
