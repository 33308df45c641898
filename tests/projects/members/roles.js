// Constant lists and tables of JavaScript.
export const ROLES = ["admin", "editor"];
export const STATES = { open: 1, "in-progress": "busy" };
const FROZEN = Object.freeze({ code: ErrorCode.NotFound });
const METHODS = new Set(["get"]);
