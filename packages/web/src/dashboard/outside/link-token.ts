/** What stands behind the # of a link, which no server, proxy or log reads. */
export const linkToken = (): string => window.location.hash.slice(1);
