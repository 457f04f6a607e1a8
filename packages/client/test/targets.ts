import { authCodeSecret, issueAuthCode } from '../../server/src/linking/issue-auth-code.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import { toAccountId } from '../../server/src/platform/ids.ts';
import { settleAll } from '../../server/test/money.ts';
import { testSealer } from '../../server/test/sealer.ts';
import { useTransactions } from '../../server/test/transactions.ts';
import { Attribution, type ConnectionOptions } from '../src/index.ts';
import { AttributionFake, type Fault } from '../src/testing.ts';
import { startProxy } from './faulty-proxy.ts';

/** Service that the same tests run against. */
export interface Target {
  client(options?: Partial<ConnectionOptions>): Attribution;
  /** Sets faults for the next requests, one for each. */
  next(...faults: readonly Fault[]): void;
  /** Posts what was recorded, so that shares are visible. */
  post(): Promise<void>;
  /** Issues an auth code for a creator's account. */
  authCode(memberId: string): Promise<string>;
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
        const { db } = service().testDatabase.database;
        const carol = `{ id: acc_carol, name: Carol, codes: [ { code: CAROL, primary: true } ] }`;
        await service().provision(
          `{ publisher: { id: aurora }, groups: [ { id: main, members: [ ${carol} ] } ] }`,
        );
        return {
          ...proxy,
          post: () => settleAll(db).then(() => undefined),
          authCode: async (memberId) => {
            const issuing = { db, secret: await authCodeSecret(db, testSealer), now: systemClock.now() };
            return (await issueAuthCode(issuing, toAccountId(memberId))).authCode;
          },
          client: (options = {}) => new Attribution({ baseUrl: proxy.url, key: keys().backend, ...options }),
        };
      },
    ],
    [
      'the fake',
      async () => {
        const fake = new AttributionFake({
          members: [
            { code: 'ALICE', id: 'acc_alice', name: 'Alice', playerId: 'p-1', tier: 'Gold' },
            { code: 'BOB', id: 'acc_bob', name: 'Bob', playerId: 'p-2' },
            { code: 'CAROL', id: 'acc_carol', name: 'Carol' },
          ],
          tiers: [{ id: '7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90', name: 'Gold', revShare: 20 }],
          disabledCurrencies: ['BTC'],
        });
        let requests = 0;
        const count = () => {
          requests += 1;
        };
        return {
          client: (options = {}) => new Attribution({ ...fake.options, onRequest: count, ...options }),
          next: (...faults) => fake.next(...faults),
          post: async () => undefined,
          authCode: async (memberId) => fake.authCode(memberId),
          requests: () => requests,
          close: async () => undefined,
        };
      },
    ],
  ];
}
