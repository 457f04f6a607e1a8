const startedAtMs = performance.now();

/** Prints a line of progress on standard error, with the seconds since the start. */
export function logProgress(what: string): void {
  console.error(`${String(Math.round((performance.now() - startedAtMs) / 1_000)).padStart(4)} s  ${what}`);
}
