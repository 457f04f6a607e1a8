/** Interval at which the request log reloads while it is visible, because engineers watch it while they integrate. */
export const pollMs = 3_000;
