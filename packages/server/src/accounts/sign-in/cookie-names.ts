export const isSecure = (origin: string): boolean => origin.startsWith('https://');

/** Begins the names of our cookies: a browser takes `__Host-` over HTTPS alone, for and from this host alone. */
export const cookiePrefix = (origin: string): string =>
  isSecure(origin) ? '__Host-attribution' : 'attribution';
