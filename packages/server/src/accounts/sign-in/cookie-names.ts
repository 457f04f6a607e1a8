export const isSecure = (origin: string): boolean => origin.startsWith('https://');

/** People who sign in: the staff of publishers, or creators. Their cookies have different names. */
export type Audience = 'staff' | 'creators';

/** Browsers accept `__Host-` only over HTTPS, and bind the cookie to this host. */
export const cookiePrefix = (origin: string, audience: Audience = 'staff'): string =>
  `${isSecure(origin) ? '__Host-attribution' : 'attribution'}${audience === 'creators' ? '-creators' : ''}`;
