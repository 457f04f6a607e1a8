import { beforeAll, expect, test } from 'vitest';
import { until } from '../attribution-process.ts';
import { purchase } from '../fixtures.ts';
import { runInProcess } from '../run-in-process.ts';
import { useRunningService } from '../running-service.ts';

const service = useRunningService({ SETTLE_INTERVAL_MS: '50' });
let key = '';

const program = `
publisher: { id: studio, apiKeys: [ { name: backend, kind: secret } ] }
groups:
  - id: main
    revShare: 10
    holdDays: 0
    members:
      - { id: acc_ann, name: Ann, playerId: p-1, codes: [ { code: ANN } ] }
      - { id: acc_ben, name: Ben, codes: [ { code: BEN } ] }
  - { id: long, revShare: 10 }
`;
const spring = `id: spring
name: Spring
startsAt: 2026-01-01T00:00:00Z
limit: null
objectives:
  - { name: Sell swords, type: Purchase, count: 2, skus: [ { id: sword } ] }
  - { name: Earn, type: Purchase, condition: Amount, count: 1000, currency: USD }
rewards:
  - { name: Trophy, type: External, externalId: t-1 }
  - { name: Bonus, type: Payment, amount: 500, currency: USD }
`;

beforeAll(async () => {
  const { environment } = service();
  const { stdout } = await runInProcess(['provision', '-', '--json'], { environment, input: program });
  ({ key } = JSON.parse(stdout).keys[0]);
});

const run = async (words: string[], input = '') => {
  const { code, stdout, stderr } = await runInProcess(['bounties', ...words, '--publisher', 'studio'], {
    environment: service().environment,
    input,
  });
  return { code, stdout, stderr };
};
const ok = async (words: string[], input?: string): Promise<string> => {
  const { code, stdout, stderr } = await run(words, input);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};
const json = async (words: string[], input?: string) => JSON.parse(await ok([...words, '--json'], input));
const group = ['--group', 'main'];

test('commands add a bounty, show its completion, deliver its reward and end it, beside a running server', async () => {
  expect(await ok(['list', ...group])).toBe('Group main has no bounties.\n');
  expect(await ok(['add', '-', ...group], spring)).toBe('Bounty spring matches the file.\n');
  expect(await json(['add', '-', ...group], spring)).toEqual({ bountyId: 'spring' });
  expect(await ok(['show', 'spring'])).toContain('No member has made progress yet.');
  const rows = Array.from({ length: 5 }, (_, index) =>
    purchase({
      code: index === 4 ? 'BEN' : 'ANN',
      skuId: 'sword',
      subtotal: 600,
      transactionDate: '2026-05-01T00:00:00Z',
    }),
  );
  const recorded = await fetch(`${service().server.url}/v1/attributions/transactions`, {
    method: 'POST',
    headers: { 'x-shared-secret': key, 'content-type': 'application/json' },
    body: JSON.stringify(rows),
  });
  expect(recorded.status).toBe(200);
  const { bounty, progress } = await until('two completions', async () => {
    const shown = await json(['show', 'spring']);
    return shown.progress[0]?.completionCount === 2 && shown.progress.length === 2 && shown;
  });
  expect(bounty).toMatchObject({ id: 'spring', rewards: [{ type: 'External' }, { type: 'Payment' }] });
  const [first, second] = progress[0].completedObjectives.map(
    (each: { rewards: { id: string }[] }) => each.rewards[0]?.id,
  );
  const table = await ok(['show', 'spring']);
  expect(table).toContain('Spring (spring): open, from 2026-01-01T00:00:00.000Z\n  no limit per member\n');
  expect(table).toContain('objective Sell swords: 2 purchases of sword\n');
  expect(table).toContain('objective Earn: purchases for 10.00 USD\n');
  expect(table).toContain('reward    Bonus: 5.00 USD\n');
  expect(table).toMatch(/^acc_ben +Ben +0 +Sell swords 1\/2, Earn 600\/1000 +-$/m);
  expect(table).toContain(`${first} ${second}`);

  const done = ['complete-reward', String(first), ...group];
  expect(await ok([...done, '--reference', 'parcel'])).toBe(
    `Reward ${first} (Trophy) is completed: parcel.\n`,
  );
  expect(await json([...done, '--reference', 'late'])).toEqual({
    id: first,
    name: 'Trophy',
    externalId: 't-1',
    rewardCompleted: true,
    rewardReferenceId: 'parcel',
  });
  expect(await ok(['show', 'spring'])).not.toContain(first);

  expect(await json(['list', ...group])).toMatchObject({ bounties: [{ id: 'spring' }] });
  expect(await ok(['list', ...group])).toMatch(/^spring +Spring +open +2026-01-01T00:00:00.000Z +- +none$/m);
  const { endsAt } = await json(['end', 'spring']);
  expect(await ok(['end', 'spring'])).toBe(`Bounty spring ended at ${endsAt}.\n`);
  expect(await ok(['list', ...group])).toMatch(/^spring +Spring +over/m);

  const { environment, server } = service();
  const { stdout } = await runInProcess(
    ['payouts', 'preview', '--publisher', 'studio', '--group', 'main', '--json'],
    { environment },
  );
  expect(JSON.parse(stdout).payables[0]).toMatchObject({
    memberId: 'acc_ann',
    rewardCount: 2,
    rewardsMinor: '1000',
  });
  const verdict = await runInProcess(['ledger', 'verify'], { environment });
  expect(verdict.code).toBe(0);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).toContain('attribution_completed_bounties_total 2\n');
});

test('long lists continue with a cursor, which is valid only for its own list', async () => {
  const names = ['early', 'later', 'last'];
  for (const [month, id] of names.entries())
    await ok(
      ['add', '-', '--group', 'long'],
      spring.replace('id: spring', `id: ${id}`).replace('2026-01', `2026-0${month + 1}`),
    );
  const pageOf = (...words: string[]) => json(['list', '--group', 'long', '--limit', '2', ...words]);
  const first = await pageOf();
  expect(first.bounties.map(({ id }: { id: string }) => id)).toEqual(['early', 'later']);
  const second = await pageOf('--cursor', first.nextCursor);
  expect(second).toMatchObject({ bounties: [{ id: 'last' }], nextCursor: null });
  expect(await ok(['list', '--group', 'long', '--limit', '2'])).toContain(
    `More: --cursor ${first.nextCursor}`,
  );
  for (const words of [['list'], ['list', '--group', 'main'], ['show', 'early']]) {
    const { code, stdout, stderr } = await run([...words, '--cursor', first.nextCursor]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('The cursor does not belong to this list');
  }
  expect((await run(['list', '--limit', '1001'])).code).toBe(2);

  const shown = await json(['show', 'spring', '--limit', '1']);
  expect(shown.progress).toMatchObject([{ member: { id: 'acc_ann' } }]);
  const rest = await ok(['show', 'spring', '--limit', '1', '--cursor', shown.nextCursor]);
  expect(rest).toContain('acc_ben');
  expect(rest).not.toContain('acc_ann');
});

test.each([
  [
    ['add', '-', ...group],
    spring.replace('2026-01-01T00:00:00Z', 'soon'),
    /^-:3: startsAt must be a timestamp/,
  ],
  [
    ['add', '-', ...group],
    spring.replace('count: 2', 'count: 0'),
    /^-:6: objectives\[0\]\.count must be at least 1/,
  ],
  [
    ['add', '-', ...group],
    spring.replace('condition: Amount, ', ''),
    /^-:7: count of an objective|^-:7: condition of an objective/,
  ],
  [['add', '-', '--group', 'nowhere'], spring, /has no group nowhere/],
  [['add', '/no/such/file', ...group], '', /Couldn't read/],
  [['show', 'nothing'], '', /No bounty has this id/],
  [['end', 'nothing'], '', /has no bounty nothing/],
  [['complete-reward', 'nothing', ...group], '', /Bounty Reward not found/],
  [['complete-reward', 'nothing', ...group, '--reference', ''], '', /referenceId must have 1 to 255/],
])('%j is rejected with a message', async (words, input, message) => {
  const { code, stdout, stderr } = await run(words, input);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('    at ');
});
