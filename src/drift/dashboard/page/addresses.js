// Addresses inside the page: #view/subject?key=value. Everything that is shown can be linked to.

export function address(view, subject = "", chosen = {}) {
  const words = new URLSearchParams(Object.entries(chosen).filter(([, value]) => value !== "" && value !== null && value !== undefined)).toString();
  const path = subject.split("/").map(encodeURIComponent).join("/");
  return `#${view}${path ? `/${path}` : ""}${words ? `?${words}` : ""}`;
}

export function readAddress(hash) {
  const [path, words = ""] = hash.replace(/^#/, "").split("?", 2);
  const [view, ...rest] = path.split("/");
  return { view, subject: rest.map(decode).join("/"), chosen: Object.fromEntries(new URLSearchParams(words)) };
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a person may have typed a lone %
  }
}

export const fileAddress = (file) => address("file", file);
export const symbolAddress = (file, line) => address("symbol", `${file}:${line}`);
