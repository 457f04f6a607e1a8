import { useTransactions } from '../../server/test/transactions.ts';
import { Attribution, type ConnectionOptions } from '../src/index.ts';
import { AttributionFake, type Fault } from '../src/testing.ts';
import { startProxy } from './faulty-proxy.ts';

/** Service that the same tests run against. */
export interface Target {
  client(options?: Partial<ConnectionOptions>): Attribution;
  /** Sets faults for the next requests, one for each. */
  next(...faults: readonly Fault[]): void;
  /** Number of requests that were sent. */
  requests(): number;
  close(): Promise<void>;
}

/** Functions that start a connection to the real service, through a proxy, and to the fake one. */
export function useTargets(): readonly (readonly [name: string, start: () => Promise<Target>])[] {
  const { service, keys } = useTransactions();
  return [
    [
      'the service',
      async () => {
        const proxy = await startProxy(service().url);
        return {
          ...proxy,
          client: (options = {}) => new Attribution({ baseUrl: proxy.url, key: keys().backend, ...options }),
        };
      },
    ],
    [
      'the fake',
      async () => {
        const fake = new AttributionFake({
          members: [
            { code: 'ALICE', id: 'acc_alice', name: 'Alice', playerId: 'p-1' },
            { code: 'BOB', id: 'acc_bob', name: 'Bob', playerId: 'p-2' },
          ],
          disabledCurrencies: ['BTC'],
        });
        let requests = 0;
        const count = () => {
          requests += 1;
        };
        return {
          client: (options = {}) => new Attribution({ ...fake.options, onRequest: count, ...options }),
          next: (...faults) => fake.next(...faults),
          requests: () => requests,
          close: async () => undefined,
        };
      },
    ],
  ];
}
