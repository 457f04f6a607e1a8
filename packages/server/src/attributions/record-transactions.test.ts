import { beforeAll, describe, expect, test } from 'vitest';
import { type FixtureKeys, provisionFixtures, purchase } from '../../test/fixtures.ts';
import { useService } from '../../test/test-service.ts';

const service = useService();
let keys: FixtureKeys;
beforeAll(async () => {
  keys = await provisionFixtures(service());
});

const path = '/v1/attributions/transactions';
const record = (json: unknown, key = keys.backend, query = '') =>
  service().call('POST', path + query, { key, json });
const get = (transactionId: string, key = keys.backend) =>
  service().call('GET', `${path}/${encodeURIComponent(transactionId)}`, { key });

describe('a recorded purchase', () => {
  test('comes back as it went in, from create and from get alike', async () => {
    const sent = purchase({
      code: 'alice',
      status: 'Test',
      total: 1_299,
      totalCurrency: 'EUR',
      platform: 'Switch',
      playerId: 'buyer',
      playerName: 'Bü "y" \\er {,}',
      skuId: 'battle-pass',
      memberSharePercent: 12.3456,
      transactionDate: '2026-05-01T14:00:00.123456+02:00',
      metrics: {
        joinDate: '2020-02-29T00:00:00Z',
        conversion: {
          lastPurchase: { date: '2026-04-01T00:00:00Z', platform: 'Nokia' },
          totalSpendToDate: { total: 12.5, currency: 'EUR' },
        },
      },
    });
    const created = await record(sent);
    expect(created.status).toBe(200);
    expect(created.body).toEqual({
      transaction: {
        ...sent,
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        code: 'ALICE',
        memberPlayerId: 'p-1',
        origin: 'api',
        memberPaid: false,
        transactionDate: '2026-05-01T12:00:00.123Z',
        metrics: {
          joinDate: '2020-02-29T00:00:00.000Z',
          conversion: {
            lastPurchase: { date: '2026-04-01T00:00:00.000Z', platform: 'Nokia' },
            totalSpendToDate: { total: 12.5, currency: 'EUR' },
          },
        },
      },
    });
    const read = await get(sent.transactionId);
    expect(read.text).toBe(`[${created.text}]`);
  });
});
