/** The statuses of servers that lack a route: Not Found, Method Not Allowed, Not Implemented. */
export const NO_ROUTE: ReadonlySet<number> = new Set([404, 405, 501]);
