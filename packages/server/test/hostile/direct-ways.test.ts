import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { type Compared, compareWays } from '../compare-ways.ts';
import { DocumentedApi } from '../documented-answers.ts';
import { randomOf } from '../simulation/random.ts';
import { type ServiceOptions, startService, type TestService } from '../test-service.ts';
import { transactionsPath } from '../transactions.ts';
import { draftOf, toBytes } from './draft.ts';
import { known } from './installation.ts';
import { KeptSocket } from './kept-socket.ts';
import { mutations } from './mutations.ts';
import { Pool } from './pool.ts';
import { ValidValues } from './valid-value.ts';

/** Number of requests. `npm run hostile` sends 20,000. */
const requests = Number(process.env.DIRECT_REQUESTS ?? 400);
const seed = Number(process.env.DIRECT_SEED ?? systemClock.now().getTime() % 2 ** 32);
const demo = readFileSync(new URL('../../../../examples/demo-program.yaml', import.meta.url), 'utf8');
const usualProperties = ['code', 'description', 'subtotal', 'currency', 'transactionId', 'transactionDate'];

const compared: Compared[] = [];
let service: TestService;
let key = '';

beforeAll(async () => {
  const options: ServiceOptions = { compareDirect: compareWays((both) => compared.push(both)) };
  service = await startService(options);
  key = (await service.provision(demo)).find(({ kind }) => kind === 'secret')?.key ?? '';
});
afterAll(() => service.close());

test(
  'hostile creates get the same answer from both ways, byte for byte',
  async () => {
    process.stdout.write(`hostile creates: DIRECT_SEED=${seed} DIRECT_REQUESTS=${requests}\n`);
    const api = new DocumentedApi((await (await fetch(`${service.url}/openapi.json`)).json()) as object);
    const operation = api.operations.find(({ operationId }) => operationId === 'createTransactions');
    if (operation === undefined) throw new Error('createTransactions is not documented');
    const pool = new Pool(known);
    const values = new ValidValues(api, pool);
    const socket = new KeptSocket(service.url);
    const statuses = new Map<number, number>();
    for (let index = 0; index < requests; index += 1) {
      const random = randomOf(seed, index);
      const draft = draftOf(operation, [['x-shared-secret', key]], { values, pool, random });
      // Most generated requests are unusual. The others have parameters, other properties or a list taken away.
      if (!random.oneIn(3)) draft.query = draft.query.filter((each) => each.startsWith('groupId='));
      if (random.oneIn(2)) draft.query = [];
      if (!random.oneIn(4))
        draft.json = { ...usualOf(draft.json), code: 'ALICE', transactionId: `direct ${seed} ${index}` };
      const names = random.oneIn(2) ? [] : [random.pick(Object.keys(mutations))];
      for (const name of names) mutations[name]?.(draft, random, pool);
      const before = compared.length;
      const answer = await socket.send(toBytes(draft, new URL(service.url).host), draft.method === 'HEAD');
      statuses.set(answer?.status ?? 0, (statuses.get(answer?.status ?? 0) ?? 0) + 1);
      const context = `DIRECT_SEED=${seed}, request ${index}, ${names.join()}`;
      expect(answer?.status ?? 0, context).toBeLessThan(500);
      for (const { direct, usual } of compared.slice(before)) expect(direct, context).toBe(usual);
    }
    socket.close();
    process.stdout.write(
      `${compared.length} answered both ways; ${[...statuses].map(([status, times]) => `${status}: ${times}`).join(', ')}\n`,
    );
    expect(compared.length).toBeGreaterThan(requests / 20);
  },
  60_000 + requests * 100,
);

test('what only the framework may answer is left to it', async () => {
  const entry = (transactionId: string) => ({
    code: 'ALICE',
    description: 'Battle pass',
    subtotal: 999,
    currency: 'USD',
    transactionId,
    transactionDate: '2026-05-01T12:00:00Z',
  });
  const before = compared.length;
  const send = (json: unknown, query = '', headers: Record<string, string> = {}) =>
    service.call('POST', transactionsPath + query, { key, json, headers });
  for (const [json, query, headers, status] of [
    [[entry('list')], '', {}, 200],
    [{ ...entry('misspelled'), subTotal: 1 }, '', {}, 200],
    [{ ...entry('null'), platform: null }, '', {}, 200],
    [entry('major'), '?useLDCurrency=false', {}, 200],
    [{ ...entry('player'), code: '@player', playerId: 'has entered none' }, '', {}, 400],
    [{ ...entry('code'), code: 'UNKNOWN' }, '', {}, 400],
    [entry('group'), '?groupId=unknown', {}, 400],
    [entry('strict'), '', { 'x-strict': 'true' }, 200],
  ] as const) {
    const answer = await send(json, query, headers);
    expect([query, answer.status], JSON.stringify(json)).toEqual([query, status]);
  }
  expect(compared.length - before, 'only the null and the strict request are usual ones').toBe(2);
  expect((await send(entry('strict'))).status, 'a repeat conflicts').toBe(409);
  expect((await send(entry('strict'), '?repeat=return')).headers.get('x-idempotent-replay')).toBe('true');
});

const usualOf = (json: unknown): Record<string, unknown> => {
  const entry = [json].flat()[0] as Record<string, unknown>;
  return Object.fromEntries(usualProperties.map((name) => [name, entry[name]]));
};
