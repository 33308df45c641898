// Activity: calls of tools as they come in, what they cost, and how the tools do.

import { address } from "./addresses.js";
import { badge, command, count, element, empty, figures, heading, link, notice, plural, table } from "./elements.js";

const MOST_NEWS = 50;

export async function show(main, page) {
  const place = element("div", {});
  main.append(heading("Activity", "Which tools agents call here, what the answers cost, and what went wrong.", command("drift telemetry")), place);
  const seen = { last: null, news: [] };
  const stopped = new AbortController();
  page.onLeave(() => stopped.abort());
  await new Promise((resolve) => {
    // Not EventSource, which cannot show the token that a shared page asks for.
    page.follow("/activity", stopped.signal, (counts) => { draw(place, counts, seen); resolve(); }).catch((error) => {
      if (!stopped.signal.aborted) place.prepend(notice(error.message));
      resolve();
    });
  });
  return "Activity is followed";
}

function draw(place, counts, seen) {
  if (seen.last) seen.news.unshift(...since(seen.last, counts));
  seen.news.length = Math.min(seen.news.length, MOST_NEWS);
  seen.last = counts;
  if (counts.problem) return place.replaceChildren(notice(counts.problem));
  if (!counts.enabled && !counts.tools.length) {
    const shown = empty("Calls are not counted in this project", "Counting is off until somebody switches it on, and what is counted stays on this machine.");
    shown.append(command("drift telemetry enable", "Run:"));
    return place.replaceChildren(shown);
  }
  const sum = (key) => counts.tools.reduce((total, row) => total + row[key], 0);
  const [calls, errors] = [sum("calls"), sum("errors")];
  const columns = [
    { title: "Tool", cell: (row) => element("code", {}, row.tool) },
    { title: "Calls", isNumber: true, cell: (row) => count(row.calls) },
    { title: "Errors", isNumber: true, cell: (row) => (row.errors ? badge(count(row.errors), row.errors * 10 >= row.calls ? "bad" : "warn") : "0") },
    { title: "From the cache", isNumber: true, cell: (row) => count(row.cached) },
    { title: "Tokens", isNumber: true, cell: (row) => count(row.tokens) },
    { title: "Average", isNumber: true, cell: (row) => `${count(Math.round(row.averageMs))} ms` },
  ];
  return place.replaceChildren(
    ...(counts.enabled ? [] : [notice("Counting is switched off; what was counted before is shown.")]),
    figures([[count(calls), `calls in ${counts.days} days`], [count(errors), "ended in an error", errors * 10 >= calls && errors ? "bad" : null], [count(sum("tokens")), "tokens of answers"], [count(sum("cached")), "from the cache"], [null, "tokens saved"]]),
    element("p", { class: "quiet small-text" }, "What was saved cannot be measured here: what an agent would have read instead of asking is not known. Servers write their counts every half minute, and what they write is shown at once."),
    element("h2", {}, "Just now"),
    seen.news.length ? element("ol", { class: "timeline" }, seen.news.map((row) => element("li", {}, element("code", {}, row.tool), ` ${count(row.calls)} × `, row.errors ? badge(`${count(row.errors)} failed`, "bad") : null, element("span", { class: "quiet small-text" }, ` ${count(row.tokens)} tokens, ${row.at}`))))
      : element("p", { class: "quiet" }, "Nothing since this page was opened."),
    element("h2", {}, "Tools"),
    table(`${plural(counts.tools.length, "tool was called", "tools were called")}`, columns, counts.tools),
    element("p", { class: "small-text" }, link(address("tools"), "All tools with their health")));
}

function since(last, counts) {
  const before = new Map(last.tools.map((row) => [row.tool, row]));
  const at = new Date().toISOString().slice(11, 19) + " UTC";
  return counts.tools.map((row) => {
    const old = before.get(row.tool) ?? { calls: 0, errors: 0, tokens: 0 };
    return { tool: row.tool, calls: row.calls - old.calls, errors: row.errors - old.errors, tokens: row.tokens - old.tokens, at };
  }).filter((row) => row.calls > 0);
}
