import { hash } from 'node:crypto';
import { randomBase62 } from '../../platform/ids.ts';

/** What stands behind the # of a link, so that no server, proxy or log ever reads it: 238 random bits. */
export const newLinkToken = (): string => randomBase62(40);

/** The only form of it that is stored; so many random bits need no salt. */
export const hashLinkToken = (token: string): Buffer => hash('sha256', token, 'buffer');

export const invitationUrl = (origin: string, token: string): string => `${origin}/invitation#${token}`;

export const passwordUrl = (origin: string, token: string): string => `${origin}/reset-password#${token}`;
