// Packs: tools that go together for a task.

import { badge, command, count, element, empty, heading, notices, table, unavailable } from "./elements.js";

export async function show(main, page) {
  const { answer, problem } = await page.ask("packs");
  main.append(heading("Packs", "Tools that go together for a task, run as one call.", command("drift call drift_pack --args '{\"action\": \"list\"}'")));
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
