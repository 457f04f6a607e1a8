/** An address as an entry shows it: what stands before its host, or in its query, may be what lets its sender in. */
export const urlInAudit = (url: string): string =>
  url.replace(/^([^/?#]*\/\/)[^/?#]*@/, '$1…@').replace(/[?#].*$/s, (rest) => `${rest[0]}…`);

/** The same where there may be none. */
export const maybeUrlInAudit = (url: string | null): string | null => url && urlInAudit(url);
