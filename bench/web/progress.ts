const startedAtMs = performance.now();

/** Says on standard error what is being done, and since when. */
export function say(what: string): void {
  console.error(`${String(Math.round((performance.now() - startedAtMs) / 1_000)).padStart(4)} s  ${what}`);
}
