import { TargetRefused } from '../../endpoints/address-guard.ts';

const errorsInWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection was closed before an answer',
  ENOTFOUND: 'the host name does not exist',
  ENODATA: 'the host name has no address',
  ETIMEOUT: 'the host name could not be looked up in time',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
};

/** @param timeoutMs what an attempt has in all */
export const noAnswerWithin = (timeoutMs: number): string => `no answer within ${timeoutMs / 1_000} s`;

/** @param afterMs since it was sent */
export const givenUpAfter = (afterMs: number): string =>
  `no answer within ${(afterMs / 1_000).toFixed(1)} s, and others needed the connection`;

/** What kept a request from being answered, in words for the publisher. */
export function inWords(error: unknown, timeoutMs: number): string {
  const { code, message } = error as { code?: string; message?: string };
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return noAnswerWithin(timeoutMs);
  if (error instanceof TargetRefused) return error.message;
  return errorsInWords[code ?? ''] ?? savable(message || code || 'the request failed');
}

/** What a receiver may have put into it, a certificate's names say, must not keep a whole set of attempts from being saved. */
const savable = (text: string): string => text.slice(0, 500).replaceAll('\0', '').toWellFormed();
