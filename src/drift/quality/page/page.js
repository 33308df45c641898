"use strict";
for (const button of document.querySelectorAll("button[data-colour]")) {
  button.addEventListener("click", () => {
    const colour = button.dataset.colour;
    for (const each of document.querySelectorAll("button[data-colour]")) {
      each.setAttribute("aria-pressed", String(each === button));
    }
    for (const file of document.querySelectorAll("rect.file")) {
      file.setAttribute("class", `file s${file.dataset[colour]}`);
    }
  });
}
