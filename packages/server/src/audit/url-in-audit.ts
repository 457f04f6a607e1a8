/** An address as an entry shows it: what stands in a query may be what lets its sender in. */
export const urlInAudit = (url: string): string => url.replace(/\?.*$/s, '?…');

/** The same where there may be none. */
export const maybeUrlInAudit = (url: string | null): string | null => url && urlInAudit(url);
