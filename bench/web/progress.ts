const startedAtMs = performance.now();

/** Prints a progress line to standard error, with the seconds since the start. */
export function logProgress(what: string): void {
  console.error(`${String(Math.round((performance.now() - startedAtMs) / 1_000)).padStart(4)} s  ${what}`);
}
