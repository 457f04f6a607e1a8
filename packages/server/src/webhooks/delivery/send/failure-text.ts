import { TargetRefused } from '../../endpoints/address-guard.ts';

const errorsInWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection was closed before a response',
  ENOTFOUND: 'the host name does not exist',
  ENODATA: 'the host name has no address',
  ETIMEOUT: 'the host name could not be looked up in time',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
};

export const noAnswerWithin = (timeoutMs: number): string => `no response within ${timeoutMs / 1_000} s`;

export const givenUpAfter = (afterMs: number): string =>
  `no response within ${(afterMs / 1_000).toFixed(1)} s, and other deliveries needed the connection`;

export function failureText(error: unknown, timeoutMs: number): string {
  const { code, message } = error as { code?: string; message?: string };
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return noAnswerWithin(timeoutMs);
  if (error instanceof TargetRefused) return error.message;
  return errorsInWords[code ?? ''] ?? savable(message || code || 'the request failed');
}

/**
 * Makes text safe to save, because it may contain a receiver's data (such as names in a certificate) that could make a
 * batch fail.
 */
const savable = (text: string): string => text.slice(0, 500).replaceAll('\0', '').toWellFormed();
