// Search over headings and the first words below them, which words.js brings. Texts go in as text nodes only.
(() => {
  const root = document.body.dataset.root;
  // On a narrow screen the menu would stand before every page.
  if (matchMedia("(max-width: 60rem)").matches) document.querySelector(".menu").open = false;
  const place = document.getElementById("search");
  const [field, list, news] = [place.querySelector("input"), place.querySelector("ul"), place.querySelector("p")];
  const rows = window.words.map(([file, title, part, text]) => ({ file, title, part, text, all: `${title} ${part} ${text}`.toLowerCase() }));
  const weigh = (row, words) => words.reduce((sum, word) => sum + (row.part.toLowerCase().includes(word) ? 4 : 0) + (row.title.toLowerCase().includes(word) ? 2 : 0) + 1, 0);

  function search() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    list.hidden = !words.length;
    if (!words.length) return;
    const found = rows.filter((row) => words.every((word) => row.all.includes(word))).map((row) => [weigh(row, words), row])
      .sort((one, other) => other[0] - one[0]).slice(0, 12);
    list.replaceChildren(...found.map(([, row]) => {
      const [item, link, below] = ["li", "a", "span"].map((name) => document.createElement(name));
      link.href = root + row.file;
      below.textContent = row.part ? `${row.title}: ${row.text}` : row.text;
      link.append(row.part || row.title, below);
      item.append(link);
      return item;
    }));
    if (!found.length) {
      const none = document.createElement("li");
      none.className = "none";
      none.textContent = "Nothing found";
      list.append(none);
    }
    news.textContent = found.length ? `${found.length} found` : "Nothing found";
  }

  place.hidden = false;
  field.addEventListener("input", search);
  field.addEventListener("focus", search);
  document.addEventListener("keydown", (event) => {
    const links = [...list.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement);
    if (event.key === "/" && !event.target.closest("input")) { field.focus(); event.preventDefault(); }
    else if (event.key === "Escape") { list.hidden = true; field.blur(); }
    else if (event.key === "Enter" && document.activeElement === field && links.length) location.href = links[0].href;
    else if (event.key === "ArrowDown" && !list.hidden && links.length) { links[Math.min(at + 1, links.length - 1)].focus(); event.preventDefault(); }
    else if (event.key === "ArrowUp" && at >= 0) { (links[at - 1] ?? field).focus(); event.preventDefault(); }
  });
  document.addEventListener("click", (event) => { if (!event.target.closest("#search")) list.hidden = true; });
})();
