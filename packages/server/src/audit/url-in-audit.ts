/** Returns a URL as shown in entries, without user info, query or fragment, which may contain credentials. */
export const urlInAudit = (url: string): string =>
  url.replace(/^([^/?#]*\/\/)[^/?#]*@/, '$1…@').replace(/[?#].*$/s, (rest) => `${rest[0]}…`);

/** Returns `urlInAudit` of a URL, or null for null. */
export const maybeUrlInAudit = (url: string | null): string | null => url && urlInAudit(url);
