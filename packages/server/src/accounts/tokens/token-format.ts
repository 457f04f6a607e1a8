import { hash } from 'node:crypto';
import { randomBase62 } from '../../platform/ids.ts';

const shape = /^svc_ok_[0-9A-Za-z]{40}$/;

/** @returns a new operator token: its prefix, and 40 random base62 characters */
export const newToken = (): string => `svc_ok_${randomBase62(40)}`;

export const isToken = (text: string): boolean => shape.test(text);

/** The only form of a token that is stored: its SHA-256. A token has 238 random bits, so no salt is needed. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');
