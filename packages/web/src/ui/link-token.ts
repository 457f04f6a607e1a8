/** Returns the URL's fragment. Browsers never send it, so servers, proxies and logs don't see it. */
export const linkToken = (): string => window.location.hash.slice(1);
