import { beforeAll } from 'vitest';
import { type FixtureKeys, provisionFixtures } from './fixtures.ts';
import {
  type Answer,
  type CallOptions,
  type ServiceOptions,
  type TestService,
  useService,
} from './test-service.ts';

export const transactionsPath = '/v1/attributions/transactions';

export const transactionPath = (transactionId: string): string =>
  `${transactionsPath}/${encodeURIComponent(transactionId)}`;

interface Sent {
  /** Key to send; the publisher's secret key if absent. */
  key?: string;
  /** Query string, including the question mark. */
  query?: string;
  /** Another process of the same installation. */
  at?: TestService;
}

/** Functions that call operations 1 to 4 of the contract, on a service with the fixtures. */
export interface Transactions {
  service(): TestService;
  keys(): FixtureKeys;
  record(json: unknown, sent?: Sent): Promise<Answer>;
  get(transactionId: string, sent?: Sent): Promise<Answer>;
  /** @param query without the question mark */
  list(query?: string, sent?: Sent): Promise<Answer>;
  patch(
    transactionId: string,
    body: Pick<CallOptions, 'json' | 'form' | 'raw' | 'headers'>,
    sent?: Sent,
  ): Promise<Answer>;
  /** Refunds a part of a purchase. */
  refund(transactionId: string, json: unknown, sent?: Sent): Promise<Answer>;
  reinstate(transactionId: string, refundId: string, sent?: Sent): Promise<Answer>;
  countRows(): Promise<number>;
}

export function useTransactions(options: ServiceOptions = {}): Transactions {
  const service = useService(options);
  let keys: FixtureKeys | undefined;
  beforeAll(async () => {
    keys = await provisionFixtures(service());
  });
  const keysNow = (): FixtureKeys => {
    if (keys === undefined) throw new Error('the fixtures are not provisioned');
    return keys;
  };
  const call = (method: string, path: string, options: CallOptions, { key, query = '', at }: Sent = {}) =>
    (at ?? service()).call(method, path + query, { key: key ?? keysNow().backend, ...options });

  return {
    service,
    keys: keysNow,
    record: (json, sent) => call('POST', transactionsPath, { json }, sent),
    get: (transactionId, sent) => call('GET', transactionPath(transactionId), {}, sent),
    list: (query = '', sent = {}) =>
      call('GET', transactionsPath, {}, { ...sent, query: query === '' ? '' : `?${query}` }),
    refund: (transactionId, json, sent) =>
      call('POST', `${transactionPath(transactionId)}/refunds`, { json }, sent),
    reinstate: (transactionId, refundId, sent) => {
      const path = `${transactionPath(transactionId)}/refunds/${encodeURIComponent(refundId)}/reinstate`;
      return call('POST', path, { json: { reason: 'a mistake' } }, sent);
    },
    patch: (transactionId, body, sent) => call('PATCH', transactionPath(transactionId), body, sent),
    async countRows() {
      const { count } = await service()
        .testDatabase.database.db.selectFrom('attribution')
        .select((eb) => eb.fn.countAll<bigint>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
  };
}

/** Returns the transactionIds from a response's records, in order. */
export const idsOf = ({ body }: Answer): string[] =>
  body.map((record: { transaction: { transactionId: string } }) => record.transaction.transactionId);
