// Instructions: the rules for agents, who answers for them, and which are due for review.

import { badge, checkbox, choice, command, count, day, element, empty, facts, figures, heading, notices, opening, searchField, table, unavailable } from "./elements.js";

const STATUS_TONES = { approved: "good", review: "warn", draft: null, deprecated: "bad" };

export async function show(main, page) {
  const health = await page.ask("catalog");
  main.append(heading("Instructions", "Rules that agents are given, who answers for them, and when they are looked at again.", command("drift call instructions_query")));
  if (health.problem) {
    main.append(unavailable("Instructions are not available", health.problem));
    return "Instructions are not available";
  }
  const chosen = { q: "", status: "", tier: "", overdue: "" };
  const place = element("div", {});
  const show = page.latest(() => queryCatalog(place, page, chosen));
  const stats = health.answer.data.catalogStats;
  main.append(
    ...notices(health.answer.data.problems),
    figures([[count(stats.totalInstructions), "instructions"], [count(stats.overdueReviews), "reviews overdue", stats.overdueReviews ? "warn" : "good"], [count(stats.brokenFiles), "broken files", stats.brokenFiles ? "bad" : "good"], [count(stats.awaitingAcceptance), "wait to be accepted", stats.awaitingAcceptance ? "warn" : null]]),
    element("div", { class: "controls" },
      searchField("Search title and text", (text) => { chosen.q = text; show(); }),
      choice("Status", [["", "All"], ...Object.keys(STATUS_TONES).map((name) => [name, name])], (value) => { chosen.status = value; show(); }),
      choice("Priority", [["", "All"], ...["P1", "P2", "P3", "P4"].map((name) => [name, name])], (value) => { chosen.tier = value; show(); }),
      checkbox("Review overdue", (isOn) => { chosen.overdue = isOn ? "1" : ""; show(); })),
    place);
  await show();
  return null;
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
  { title: "Priority", isShort: true, cell: (row) => [`${row.priorityTier} (${row.priority})`, element("br", {}), element("span", { class: "quiet small-text" }, row.requirement)] },
  { title: "Owner", isName: true, cell: (row) => row.owner },
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
      ["Version", row.version],
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
