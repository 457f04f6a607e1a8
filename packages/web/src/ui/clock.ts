/** Now, by the reader's machine: for what is drawn and proposed. What counts is decided by the service's clock. */
export const nowMs = (): number => Date.now();
