import { beforeAll, expect, test } from 'vitest';
import { type Asking, asEveryRole, asRole } from '../../../../test/admin.ts';
import { entriesOf } from '../../../../test/audit.ts';
import { useLinking } from '../../../../test/linking.ts';
import { maxClearances } from './parse-clearances.ts';

const at = useLinking();
const { service, db, makeGroup } = at;
let finance: Asking;
beforeAll(async () => {
  finance = await asRole(service(), 'finance');
});

const importing = (csv: string, isDryRun: boolean, as = finance) =>
  as('POST', '/gates/import', { csv, isDryRun });
const gatesOf = async (query: string) => (await finance('GET', `/gates?${query}`)).body.rows;
const ending = async (): Promise<number> => (await finance('GET', '/attention')).body.endingClearances;
const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
/** First instant after a day. */
const after = (text: string): string => new Date(Date.parse(text) + 86_400_000).toISOString();

test('a file is checked first; then the good lines are set, once, and the others get the reason', async () => {
  await makeGroup('imp');
  const csv = [
    'Note;UNTIL;memberId;Amount',
    'W-8BEN 2026;2099-12-31;acc_imp_A;1',
    'W-9;never;acc_imp_B;2',
    'form;2099-12-31;acc_nobody;3',
    'form;2001-01-01;acc_imp_C;4',
    'form;31.12.2099;acc_imp_D;5',
    'form;2099-02-30;acc_imp_D;6',
    ';2099-12-31;acc_imp_D;7',
    'form;;acc_imp_E;8',
    'form;2099-12-31;;9',
  ].join('\r\n');
  for (const id of ['C', 'D', 'E']) await at.makeMember('imp', `X${id}`);
  const verdicts = [
    'change',
    'change',
    'unknown',
    'unknown',
    'invalid',
    'invalid',
    'invalid',
    'invalid',
    'invalid',
  ];
  const { status, body } = await importing(csv, true);
  expect([status, body.isDryRun]).toEqual([200, true]);
  expect(body.lines.map(({ verdict }: { verdict: string }) => verdict)).toEqual(verdicts);
  expect(body.lines[0]).toEqual({
    line: 2,
    memberId: 'acc_imp_A',
    verdict: 'change',
    name: 'A',
    from: null,
    until: '2100-01-01T00:00:00.000Z',
    note: 'W-8BEN 2026',
    problem: null,
  });
  expect(body.lines[2].problem).toContain('acc_nobody');
  expect(body.lines[4].problem).toContain('2028-12-31');
  expect(body.lines[6].problem).toContain('note');
  expect(body.lines[7].problem).toContain('never');
  expect(body.lines[8].problem).toContain('memberId');
  expect(await gatesOf('kind=tax'), 'nothing is saved by a dry run').toEqual([]);

  const entries = await entriesOf(db(), async () => {
    const saved = await importing(csv, false);
    expect(saved.body.lines.map(({ verdict }: { verdict: string }) => verdict)).toEqual(verdicts);
  });
  expect(entries.map(({ action, target, reason }) => [action, target, reason])).toEqual([
    ['member.clear-tax', 'member:acc_imp_A', 'W-8BEN 2026'],
    ['member.clear-tax', 'member:acc_imp_B', 'W-9'],
  ]);
  expect(await gatesOf('kind=tax')).toMatchObject([
    { memberId: 'acc_imp_B', until: null, note: 'W-9' },
    { memberId: 'acc_imp_A', until: '2100-01-01T00:00:00.000Z', note: 'W-8BEN 2026' },
  ]);
  const again = await importing(csv, false);
  expect(again.body.lines.slice(0, 2)).toMatchObject([{ verdict: 'unchanged' }, { verdict: 'unchanged' }]);
  const two = await Promise.all(
    [1, 2].map(() => importing('memberId,until,note\nacc_imp_A,never,W-9', false)),
  );
  expect(two.map(({ body }) => body.lines[0].verdict).sort(), 'twice at once').toEqual([
    'change',
    'unchanged',
  ]);
  expect(await gatesOf('kind=tax')).toHaveLength(3);
});

test('a creator who is in the file twice gets none of the lines, also under a claimed id', async () => {
  await makeGroup('dup');
  const creator = await at.makeMember('dup', 'DUPE');
  await at.generate('dup', 'p-dup');
  const { account_id: claimed } = await db()
    .selectFrom('membership')
    .select('account_id')
    .where('publisher_id', '=', 'aurora')
    .where('group_id', '=', 'dup')
    .where('player_id', '=', 'p-dup')
    .executeTakeFirstOrThrow();
  await at.linked('dup', creator, 'p-dup');
  const csv = `memberId,from,until,note\nacc_DUPE,,2099-01-01,a\n${claimed},2030-01-01,2099-01-01,b\nacc_dup_A,2099-01-02,2099-01-01,c`;
  const { body } = await importing(csv, false);
  expect(body.lines).toMatchObject([
    { verdict: 'duplicate', name: expect.any(String) },
    { verdict: 'duplicate' },
    { verdict: 'invalid', problem: expect.stringContaining('before the first day') },
  ]);
  const single = await importing(
    csv
      .split('\n')
      .filter((_, index) => index !== 1)
      .join('\n'),
    false,
  );
  expect(single.body.lines[0]).toMatchObject({ verdict: 'change', memberId: claimed });
  expect(await gatesOf('member=acc_DUPE')).toMatchObject([
    { from: '2030-01-01T00:00:00.000Z', until: '2099-01-02T00:00:00.000Z' },
  ]);
});

test.each([
  ['no columns', 'acc_A,2099-01-01', 'memberId, until and note'],
  ['a missing column', 'memberId,until\na,2099-01-01', 'column note is missing'],
  ['a column twice', 'memberId,until,note,until\na,b,c,d', 'column until twice'],
  ['no lines', 'memberId,until,note', 'no lines'],
  ['an open quote', 'memberId,until,note\n"a,b,c', 'never closed'],
  ['too many lines', `memberId,until,note\n${'a,b,c\n'.repeat(maxClearances + 1)}`, 'at most 5000'],
])('a file with %s is rejected as a whole', async (_name, csv, message) => {
  expect(await importing(csv, false)).toMatchObject({
    status: 400,
    body: { code: 'InvalidInput', message: expect.stringContaining(message) },
  });
});

test('only people and tokens with the permission import, and each for their own publisher', async () => {
  const csv = 'memberId,until,note\nacc_imp_A,2098-01-01,form';
  for (const [role, as] of Object.entries(await asEveryRole(service()))) {
    const { status } = await importing(csv, true, as);
    expect([role, status]).toEqual([role, role === 'owner' || role === 'finance' ? 200 : 403]);
  }
  const rival = await asRole(service(), 'owner', 'rival');
  const { body } = await importing(csv, false, rival);
  expect(body.lines).toMatchObject([{ verdict: 'unknown', name: null }]);
});

test('a clearance that ends within 30 days needs attention, unless it is continued or revoked', async () => {
  await makeGroup('end');
  expect(await ending()).toBe(0);
  const clear = (until: string, memberId = 'acc_end_A') =>
    importing(`memberId,until,note\n${memberId},${until},form`, false);
  await clear(day(40));
  expect(await ending()).toBe(0);
  await clear(day(10), 'acc_end_B');
  expect(await ending()).toBe(1);
  expect(await gatesOf('ending=true')).toMatchObject([{ memberId: 'acc_end_B', until: after(day(10)) }]);
  await clear(day(20), 'acc_end_B');
  expect(await gatesOf('ending=true'), 'the later one of two').toMatchObject([{ until: after(day(20)) }]);
  expect(await ending()).toBe(1);
  await clear('never', 'acc_end_B');
  expect(await ending(), 'continued').toBe(0);
  const [endless] = await gatesOf('member=acc_end_B');
  expect((await finance('POST', `/gates/${endless.gateId}/end`, { reason: 'mistake' })).status).toBe(200);
  expect(await ending(), 'no longer continued').toBe(1);
});
