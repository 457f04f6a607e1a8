/** Returns the time of the reader's machine, for display and for defaults. The service decides by its own clock. */
export const nowMs = (): number => Date.now();
