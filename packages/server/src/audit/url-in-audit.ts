/**
 * Returns a URL in the form shown in entries, without user info, query or fragment, any of which may contain
 * credentials.
 */
export const urlInAudit = (url: string): string =>
  url.replace(/^([^/?#]*\/\/)[^/?#]*@/, '$1…@').replace(/[?#].*$/s, (rest) => `${rest[0]}…`);

export const maybeUrlInAudit = (url: string | null): string | null => url && urlInAudit(url);
