/** Returns the time on the reader's machine, for display and for defaults. The service uses its own clock. */
export const nowMs = (): number => Date.now();
