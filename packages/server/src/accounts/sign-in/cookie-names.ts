export const isSecure = (origin: string): boolean => origin.startsWith('https://');

/** Browsers accept `__Host-` only over HTTPS, and bind the cookie to this host. */
export const cookiePrefix = (origin: string): string =>
  isSecure(origin) ? '__Host-attribution' : 'attribution';
