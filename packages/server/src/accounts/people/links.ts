import { hash } from 'node:crypto';
import { randomBase62 } from '../../platform/ids.ts';

/**
 * Creates a link's token, which has 238 random bits. It goes in the URL's fragment, which browsers never send
 * to a server.
 */
export const newLinkToken = (): string => randomBase62(40);

/**
 * Returns the hash under which a token is stored. The token has 238 random bits, so the hash doesn't need a
 * salt.
 */
export const hashLinkToken = (token: string): Buffer => hash('sha256', token, 'buffer');

export const invitationUrl = (origin: string, token: string): string => `${origin}/invitation#${token}`;

export const passwordUrl = (origin: string, token: string): string => `${origin}/reset-password#${token}`;
