// The pages of a file and of a symbol: what it is, who uses it, what it uses, tests, impact, history, conventions, memories.

import { address } from "./addresses.js";
import { badge, bar, code, command, count, element, facts, figures, fileLink, heading, later, link, notices, onRequest, opening, placeLine, plural, prose, quoted, section, symbolLink, unavailable } from "./elements.js";
import { crumbs } from "./map.js";

const MOST_ROWS = 12;
const FUNCTIONS = new Set(["function", "method", "constructor", "macro", "property"]);
const RISK_TONES = { low: "good", medium: "warn", high: "bad", critical: "bad" };

export async function show(main, page) {
  const { answer, problem, command: line } = await page.keep("explain", { at: page.subject });
  if (problem) {
    main.append(heading(page.subject), unavailable("This place is not known", problem));
    return "This place is not known";
  }
  const { file, symbol } = answer.data;
  if (file) return showFile(main, page, { answer, file, line });
  return showSymbol(main, page, { answer, symbol, line });
}

function showFile(main, page, { answer, file, line }) {
  const at = file.file;
  main.append(
    heading(at.split("/").at(-1), crumbs(at), file.doc, command(line)),
    ...notices(answer.warnings),
    figures([
      [file.lines === null ? null : count(file.lines), "lines"], [count(file.symbolCount), "symbols"],
      [count(file.usingFiles), "files use it"], [count(file.usedFiles), "files it uses"],
    ]),
    facts([["Language", file.language ?? "none that Drift knows"], ["Role", file.role], ["Package", file.package],
      ["Graph", link(address("graph", at, { level: "file" }), "what is around it")]]),
    element("div", { class: "columns" },
      listed("What is in it", file.parts, (part) => [symbolLink(part.name, at, part.line), " ", element("span", { class: "quiet small-text" }, part.kind), signature(part)], "No symbol: the file declares nothing."),
      listed("Who uses it", file.usedBy, fileRow, "No file of the project is known to use it."),
      listed("What it uses", file.uses, fileRow, "It uses no other file of the project."),
      listed("What comes in from outside", entries(file.entryPoints), (row) => row, "No route, command or job starts here."),
      impactSection(page, at, { isFile: true }), historySection(page, at), conventionSection(page, at), memorySection(page, at)),
    section("Code", opening("Show the code", () => lines(page, at, 1, 400))));
  return `${at}: ${answer.summary}`;
}

function showSymbol(main, page, { answer, symbol, line }) {
  const at = `${symbol.file}:${symbol.line}`;
  const isFunction = FUNCTIONS.has(symbol.kind);
  const complexity = symbol.complexity;
  main.append(
    heading(symbol.symbol, crumbs(symbol.file), element("p", {}, `${symbol.kind} in `, fileLink(symbol.file, at)), symbol.doc, command(line)),
    ...notices(answer.warnings),
    element("div", { class: "signature" }, symbol.signature || symbol.symbol),
    figures(isFunction ? [
      [count(symbol.callerCount), "places call it"], [count(symbol.callingFiles), "files call it"], [count(symbol.calleeCount), "symbols it calls"],
      [count(symbol.testUsers), "tests use it directly"], [complexity ? count(complexity.cognitive) : null, "cognitive complexity", complexity?.cognitive > 15 ? "bad" : null],
    ] : [[count(symbol.usedBy?.length ?? 0), "symbols use it"], [count(symbol.testUsers), "tests use it directly"], ...(symbol.parts?.length ? [[count(symbol.parts.length), "parts"]] : [])]),
    facts([["Visibility", symbol.visibility], ["Stands in", symbol.standsIn], ["Package", symbol.package],
      ["Overrides", (symbol.overrides ?? []).join(", ")], ["Overridden by", (symbol.overriddenBy ?? []).join(", ")], ["Heirs", (symbol.heirs ?? []).join(", ")],
      ["Calls outside", (symbol.externalCalls ?? []).join(", ")], ["Graph", link(address("graph", at, { level: "symbol" }), "what is around it")]]),
    element("div", { class: "columns" },
      listed(isFunction ? "Callers" : "Who uses it", symbol.usedBy, useRow, `Nobody in the project is known to ${isFunction ? "call" : "use"} it.`),
      listed(isFunction ? "Callees" : "What it uses", symbol.uses, useRow, isFunction ? "It calls nothing of the project." : null),
      listed("What is in it", symbol.parts, (part) => [symbolLink(part.name, symbol.file, part.line), " ", element("span", { class: "quiet small-text" }, part.kind), signature(part)], null),
      listed("What comes in from outside", entries(symbol.entryPoints), (row) => row, null),
      isFunction ? testSection(page, at) : null, impactSection(page, at), historySection(page, symbol.file), conventionSection(page, symbol.file), memorySection(page, symbol.file)),
    section("Code", opening("Show the code", () => lines(page, symbol.file, symbol.line, symbol.endLine))));
  return `${symbol.symbol}: ${answer.summary}`;
}

export async function lines(page, file, first, last) {
  const { answer, problem } = await page.ask("lines", { file, from: first, to: last });
  if (problem) return unavailable("The code cannot be shown", problem);
  return [code(answer.data.lines, answer.data.line), ...(answer.data.isCut ? [element("p", { class: "quiet" }, "The first 400 lines are shown.")] : [])];
}

function listed(title, rows, show, none) {
  if (!rows?.length) return none === null ? null : section(title, element("p", { class: "quiet" }, none));
  const list = (some) => element("ul", { class: "rows" }, some.map((row) => element("li", {}, show(row))));
  const rest = rows.slice(MOST_ROWS);
  return section(`${title} (${count(rows.length)})`, list(rows.slice(0, MOST_ROWS)),
    ...(rest.length ? [opening(plural(rest.length, "more", "more"), () => list(rest))] : []));
}

const signature = (part) => (part.signature ? element("span", { class: "place" }, element("code", {}, part.signature)) : null);
const fileRow = (row) => [fileLink(row.file), element("span", { class: "place" }, `${plural(row.imports, "import")}, ${plural(row.calls, "call")}`)];
const useRow = (row) => [symbolLink(row.symbol, row.file, row.line), placeLine(row.file, row.line, row.times > 1 ? `, ${count(row.times)} times` : "", row.confidence < 1 ? `, ${Math.round(row.confidence * 100)} % sure` : "")];

function entries(rows) {
  return rows?.map((row) => [badge(row.kind), " ", row.detail]);
}

function testSection(page, at) {
  return later("Tests", async () => {
    const { answer, problem, command: line } = await page.keep("function", { at });
    if (problem) return unavailable("Tests are not known", problem);
    const { testCount, tests } = answer.data;
    if (!testCount) return [element("p", { class: "quiet" }, "No test is known to reach it."), command(line)];
    return [element("p", {}, plural(testCount, "test reaches it", "tests reach it"), "."), element("ul", { class: "rows" }, tests.map((test) => element("li", {},
      symbolLink(test.test, test.file, test.line), placeLine(test.file, test.line, test.depth > 1 ? `, ${count(test.depth)} calls away` : "")))), command(line)];
  });
}

// A file is all of its symbols: following the users of hundreds takes long, so that a person asks for it.
function impactSection(page, at, { isFile = false } = {}) {
  const look = async () => {
    const { answer, problem, command: line } = await page.keep("impact", { at });
    if (problem) return unavailable("The impact is not known", problem);
    const { risk, counts, entryPoints, testFiles } = answer.data;
    return [
      element("p", {}, badge(`${risk.level} risk`, RISK_TONES[risk.level]), ` ${plural(counts.direct, "symbol")} directly, ${count(counts.transitive)} more through others, in ${plural(counts.files, "file")}; ${plural(counts.tests, "test")} to run.`),
      element("ul", { class: "rows" }, risk.reasons.map((each) => element("li", {}, each.reason))),
      ...(entryPoints?.length ? [element("p", { class: "quiet small-text" }, `Reached from outside by ${entryPoints.slice(0, 4).map((each) => each.detail || each.symbol).join(", ")}`)] : []),
      ...(testFiles?.length ? [element("p", { class: "small-text" }, "Run ", testFiles.slice(0, 4).flatMap((file, place) => [place ? ", " : "", fileLink(file)]))] : []),
      command(line),
    ];
  };
  return isFile ? onRequest("If it changes", "Follows the users of all that is in it. In a large file this takes a minute.", look) : later("If it changes", look);
}

function historySection(page, file) {
  return later("History", async () => {
    const { answer, problem, command: line } = await page.keep("history", { at: file });
    if (problem) return unavailable("The history is not known", problem);
    const { commits } = answer.data;
    const shown = commits.slice(0, 8).map((each) => element("li", {}, each.summary, element("span", { class: "quiet small-text" }, element("br", {}), `${each.date.slice(0, 10)}, ${each.author}, ${each.commit.slice(0, 10)}`)));
    return [...notices(answer.warnings), shown.length ? element("ol", { class: "timeline" }, shown) : element("p", { class: "quiet" }, "No commit touched it in the last year."), command(line)];
  });
}

function conventionSection(page, file) {
  return later("Conventions", async () => {
    const { answer, problem, command: line } = await page.keep("file/conventions", { at: file });
    if (problem) return unavailable("Conventions are not known", problem);
    const rows = answer.data.patterns;
    if (!rows.length) return [element("p", { class: "quiet" }, "It decides nothing that a convention speaks of."), command(line)];
    const bad = rows.filter((row) => row.outliers?.length);
    const rest = rows.length - bad.length;
    return [bar(rest / rows.length, bad.length ? "warn" : "good", `${rest} of ${rows.length} kept everywhere`), element("p", { class: "small-text" }, `${count(rest)} of ${plural(rows.length, "convention")} kept everywhere.`),
      element("ul", { class: "rows" }, bad.map((row) => element("li", {}, link(address("conventions", row.id), prose(row.rule)), element("span", { class: "place" }, prose(row.outliers.map((each) => `line ${each.line}: ${each.reason}`).slice(0, 3).join("; ")))))),
      command(line)];
  });
}

function memorySection(page, file) {
  return later("Memories", async () => {
    const { answer, problem } = await page.keep("memory/list", { file });
    if (problem) return unavailable("Memories are not known", problem);
    const rows = answer.data.memories;
    return [rows.length ? element("ul", { class: "rows" }, rows.map((row) => element("li", {}, link(address("memory", row.id), row.title), element("span", { class: "place" }, `${row.type}, ${row.recorded}`)))) : element("p", { class: "quiet" }, "No memory is linked to its file."),
      command(`drift why ${quoted(file)}`)];
  });
}
