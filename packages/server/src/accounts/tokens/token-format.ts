import { hash } from 'node:crypto';
import { randomBase62 } from '../../platform/ids.ts';

const shape = /^svc_ok_[0-9A-Za-z]{40}$/;

/** Creates an operator token: a prefix and 40 random base62 characters. */
export const newToken = (): string => `svc_ok_${randomBase62(40)}`;

export const isToken = (text: string): boolean => shape.test(text);

/**
 * Returns the SHA-256 hash under which a token is stored. The token has 238 random bits, so the hash doesn't
 * need a salt.
 */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');
