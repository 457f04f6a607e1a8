/** Returns the fragment of the URL, which no server, proxy or log sees. */
export const linkToken = (): string => window.location.hash.slice(1);
