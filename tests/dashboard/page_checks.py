"""What is asked of every page that people see."""

# The contrast of every text with what is behind it, as the accessibility guidelines count it.
CONTRAST = """(() => {
  const parse = (text) => text.match(/[0-9.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const back = (node) => { for (; node; node = node.parentElement) {
    const colour = parse(getComputedStyle(node).backgroundColor); if (colour.length < 4 || colour[3] === 1) return colour; } return [255, 255, 255]; };
  const poor = [];
  for (const node of document.querySelectorAll("body *")) {
    if (![...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim())) continue;
    if (!node.checkVisibility() || node.closest("select, noscript")) continue;
    const [one, other] = [light(parse(getComputedStyle(node).color)), light(back(node))].sort((a, b) => b - a);
    if ((one + 0.05) / (other + 0.05) < 4.5) poor.push(`${node.tagName}.${node.className}: ${node.textContent.slice(0, 40)}`);
  }
  return poor;
})()"""


def barriers(page, axe):
    """What axe objects to, by rule and place."""
    page.evaluate(f"{axe}; undefined")
    return page.evaluate(
        "axe.run(document, {resultTypes: ['violations'], preload: false}).then((found) => found.violations.flatMap("
        "(each) => each.nodes.slice(0, 3).map((node) => `${each.id}: ${node.html.slice(0, 160)}`)))"
    )
