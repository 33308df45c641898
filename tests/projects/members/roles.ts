// Constant lists and tables of TypeScript.
export const ROLES = ["admin", "editor"] as const;
export const STATES = { open: 1, "in-progress": "busy" };
const FROZEN = Object.freeze({ code: ErrorCode.NotFound });
const METHODS = new Set(["get"]);
