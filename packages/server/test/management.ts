import type { Answer, CallOptions, ServiceOptions, TestService } from './test-service.ts';
import { type Transactions, useTransactions } from './transactions.ts';

interface Sent extends Pick<CallOptions, 'headers' | 'raw'> {
  /** Key to send; the publisher's secret key if absent, no key if null. */
  key?: string | null;
  /** Another process of the same installation. */
  at?: TestService;
}

/**
 * Functions that call operations under /v1/manage, on a service with the fixtures. Paths are relative to
 * /v1/manage.
 */
export interface Management extends Transactions {
  ask(path: string, sent?: Sent): Promise<Answer>;
  send(method: 'POST' | 'PUT' | 'PATCH', path: string, json: unknown, sent?: Sent): Promise<Answer>;
  remove(path: string, sent?: Sent): Promise<Answer>;
  /** Applies part of a program file to one of aurora's groups. */
  provisionGroup(group: string, rest: string): Promise<void>;
}

export function useManagement(options: ServiceOptions = {}): Management {
  const transactions = useTransactions(options);
  const { service, keys } = transactions;
  const call = (method: string, path: string, options: CallOptions, { at, ...sent }: Sent) =>
    (at ?? service()).call(method, `/v1/manage${path}`, { key: keys().backend, ...options, ...sent });
  return {
    ...transactions,
    ask: (path, sent = {}) => call('GET', path, {}, sent),
    send: (method, path, json, sent = {}) => call(method, path, sent.raw === undefined ? { json } : {}, sent),
    remove: (path, sent = {}) => call('DELETE', path, {}, sent),
    async provisionGroup(group, rest) {
      await service().provision(`{ publisher: { id: aurora }, groups: [ { id: ${group}, ${rest} } ] }`);
    },
  };
}

/** Returns everything that a client can see in a response, except values that always differ. */
export const seen = ({ status, headers, text }: Answer): unknown => [
  status,
  [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id'),
  text,
];

export const preflight = (service: TestService, path: string, method: string): Promise<Answer> =>
  service.call('OPTIONS', path, {
    headers: {
      origin: 'https://game.example',
      'access-control-request-method': method,
      'access-control-request-headers': 'x-shared-secret',
    },
  });
