import { beforeAll, expect, test } from 'vitest';
import { asEveryRole, asRole } from '../../../test/admin.ts';
import { entriesOf, manyEntries } from '../../../test/audit.ts';
import { useManagement } from '../../../test/management.ts';
import { signIn } from '../../../test/staff.ts';
import { testActor } from '../../../test/test-actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';

const { service } = useManagement();
const db = () => service().testDatabase.database.db;
beforeAll(() => manyEntries(db(), 'aurora', 1_000));

test('owners, managers and finance read and export the log, and other roles do not', async () => {
  const roles = await asEveryRole(service());
  const rolesAllowed = async (path: string): Promise<string[]> => {
    const answers = await Promise.all(
      Object.entries(roles).map(async ([role, ask]) => [role, (await ask('GET', path)).status] as const),
    );
    return answers.flatMap(([role, status]) => (status === 200 ? role : []));
  };
  expect(await rolesAllowed('/audit')).toEqual(['owner', 'manager', 'finance']);
  for (const path of ['/audit.ndjson', '/audit.csv'])
    expect(await rolesAllowed(path)).toEqual(['owner', 'manager', 'finance']);
  const rival = await asRole(service(), 'owner', 'rival');
  for (const path of ['audit', 'audit.ndjson', 'audit.csv'])
    expect(await rival('GET', `/admin/v1/publishers/aurora/${path}`)).toMatchObject({ status: 404 });
  const { rows } = (await rival('GET', '/audit')).body;
  expect(rows.every(({ target }: { target: string }) => !target.startsWith('member:rare'))).toBe(true);
});

test('entries are filtered by actor, action, target and time, and paged', async () => {
  const ask = await asRole(service(), 'owner');
  const all = async (query: string): Promise<Record<string, unknown>[]> => {
    const rows: Record<string, unknown>[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: { body: { rows: Record<string, unknown>[]; nextCursor: string | null } } = await ask(
        'GET',
        `/audit?${query}&cursor=${cursor}`,
      );
      rows.push(...body.rows);
      cursor = body.nextCursor;
    }
    return rows;
  };
  expect(await all('actorId=rare')).toHaveLength(20);
  expect(await all('action=payout.rarely')).toHaveLength(20);
  expect(await all('action=rarity')).toHaveLength(20);
  expect(await all('target=member:rare')).toHaveLength(20);
  const early = await all('from=2026-01-01T00:00:00Z&until=2026-01-01T00:10:00Z');
  expect(early).toHaveLength(59);
  expect(early[0]).toMatchObject({ after: { n: 59 }, before: null });
  const [one] = early;
  expect((await ask('GET', `/audit/${one?.auditId}`)).body).toEqual(one);
  expect(await ask('GET', '/audit/none')).toMatchObject({ status: 404 });
  for (const query of ['actorKind=robot', 'from=yesterday', 'action=a.b.c', 'limit=7', 'cursor=x'])
    expect([query, (await ask('GET', `/audit?${query}`)).status]).toEqual([query, 400]);
});

test('an export contains every entry that matches the filters, and is audited itself', async () => {
  const ask = await asRole(service(), 'finance');
  let text = '';
  const entries = await entriesOf(db(), async () => {
    const answer = await ask('GET', '/audit.ndjson?actorKind=key');
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toContain('audit-aurora.ndjson');
    ({ text } = answer);
  });
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.length).toBeGreaterThan(800);
  expect(new Set(lines.map(({ auditId }) => auditId)).size).toBe(lines.length);
  expect(lines.every(({ actor }) => actor.kind === 'key')).toBe(true);
  expect(entries).toMatchObject([
    { action: 'audit.export', target: 'publisher:aurora', actor_kind: 'token', after: { actorKind: 'key' } },
  ]);
});

test('an export as CSV contains the same entries, one per line, and is audited itself', async () => {
  const ask = await asRole(service(), 'finance');
  const { rows } = (await ask('GET', '/audit?actorKind=key')).body;
  const ids = [rows[3].auditId, rows[1].auditId];
  let text = '';
  const entries = await entriesOf(db(), async () => {
    const answer = await ask('GET', `/audit.csv?ids=${ids.join()}`);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toContain('audit-aurora.csv');
    ({ text } = answer);
  });
  const [head, ...lines] = text.trimEnd().split('\r\n');
  expect(head).toContain('auditId,at,actorKind,actorId,actorName,action,target,reason,before,after');
  expect(lines.map((line) => line.slice(1, 37))).toEqual(ids.toReversed());
  expect(entries).toMatchObject([
    { action: 'audit.export', target: 'publisher:aurora', after: { ids: [...ids] } },
  ]);
  expect((await ask('GET', '/audit.csv?ids=nothing')).status).toBe(400);
});

test('chosen entries are exported, and no others', async () => {
  const ask = await asRole(service(), 'finance');
  const { rows } = (await ask('GET', '/audit?actorKind=key')).body;
  const ids = [rows[3].auditId, rows[1].auditId];
  const { text } = await ask('GET', `/audit.ndjson?ids=${ids.join()}`);
  expect(
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).auditId),
  ).toEqual(ids.toReversed());
  expect((await ask('GET', '/audit.ndjson?ids=nothing')).status).toBe(400);
});

const gold = '7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90';

test('entries include the current names of their ids, and mark names that are gone', async () => {
  const person = await signIn(service(), 'owner', { name: 'Olga Owner' });
  const leaver = await signIn(service(), 'viewer', { name: 'Leo Left' });
  const { ask } = person;
  const terms = {
    groupId: 'main',
    startsAt: '2031-01-01T00:00:00.000Z',
    endsAt: '2031-01-02T00:00:00.000Z',
    revShare: 12,
    tierShares: [{ tierId: gold, revShare: 30 }],
  };
  const { body: schedule } = await ask('POST', '/schedules', terms);
  const { scheduleId, version } = schedule;
  await ask('POST', `/schedules/${scheduleId}/delete`, { groupId: 'main', version });
  expect((await ask('DELETE', `/staff/${leaver.userId}`)).status).toBe(200);

  const newest = async (query: string): Promise<{ auditId: string; names: Record<string, unknown>[] }> =>
    (await ask('GET', `/audit?${query}`)).body.rows[0];
  const main = { kind: 'group', id: 'main', name: 'Aurora Creators', within: null, isGone: false };
  const deleted = await newest('action=schedule.delete');
  expect(deleted.names).toEqual([
    {
      as: 'target',
      kind: 'schedule',
      id: scheduleId,
      name: '2031-01-01T00:00:00.000Z – 2031-01-02T00:00:00.000Z',
      within: 'main',
      isGone: true,
    },
    { as: 'group', ...main },
    { as: 'tier', kind: 'tier', id: gold, name: 'Gold', within: 'main', isGone: false },
  ]);
  expect((await ask('GET', `/audit/${deleted.auditId}`)).body).toEqual(deleted);
  expect((await newest('action=staff.remove')).names).toMatchObject([{ name: 'Leo Left', isGone: true }]);
  expect((await newest(`target=staff:${person.userId}`)).names).toMatchObject([
    { name: 'Olga Owner', isGone: false },
  ]);
  expect((await newest('target=sku-share:main/battle-pass')).names).toMatchObject([
    { id: 'main/battle-pass', name: 'battle-pass', within: 'main' },
  ]);
  expect((await newest('target=member:acc_dora')).names).toMatchObject([
    { as: 'target', name: 'Dora', within: 'moba' },
    { as: 'group', id: 'moba', name: 'Aurora MOBA' },
  ]);
});

test('ids of other publishers and unknown ids have no names', async () => {
  const rivalOwner = await signIn(service(), 'owner', { publisherId: 'rival', name: 'Rita Rival' });
  const key = await service()
    .testDatabase.database.db.selectFrom('api_key')
    .select('key_id')
    .where('publisher_id', '=', 'rival')
    .executeTakeFirstOrThrow();
  const targets = [
    'member:acc_rival',
    `staff:${rivalOwner.userId}`,
    `key:${key.key_id}`,
    'publisher:rival',
    'group:hidden',
    'tier:no-uuid',
    'sku-share:no-slash',
    'toString:hidden',
    'nothing',
  ];
  await inTransaction(db(), async (tx) => {
    for (const target of targets)
      await recordChange(tx, testActor, {
        publisherId: 'aurora',
        action: 'strange.put',
        target,
        after: { group: 'hidden', claimed: 'acc_rival', constructor: 'main', tiers: [{ tier: 7 }, null] },
      });
  });
  const ask = await asRole(service(), 'owner');
  const { rows } = (await ask('GET', '/audit?action=strange')).body;
  expect(rows.map(({ names }: { names: unknown }) => names)).toEqual(targets.map(() => []));
});
