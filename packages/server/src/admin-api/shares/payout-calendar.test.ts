import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { asRole } from '../../../test/admin.ts';
import { writtenEntries } from '../../../test/audit.ts';
import { useManagement } from '../../../test/management.ts';

const { service } = useManagement();

const manager = () => asRole(service(), 'manager');
const calendar = { dayOfMonth: 15, withinDays: 3 };
const mainOf = async () =>
  (await (await manager())('GET', '/groups')).body.rows.find(
    ({ groupId }: { groupId: string }) => groupId === 'main',
  );
const put = async (payoutCalendar: unknown, version?: string) =>
  (await manager())('PUT', '/groups/main', { version: version ?? (await mainOf()).version, payoutCalendar });
const provision = (payoutCalendar: string) =>
  service().provision(
    `{ publisher: { id: aurora }, groups: [ { id: main, payoutCalendar: ${payoutCalendar} } ] }`,
  );

test('a group has no calendar at first', async () => {
  expect((await mainOf()).payoutCalendar).toBeNull();
});

const wrong: [name: string, value: unknown][] = [
  ['day 0', { ...calendar, dayOfMonth: 0 }],
  ['day 29, which February lacks', { ...calendar, dayOfMonth: 29 }],
  ['half a day', { ...calendar, dayOfMonth: 1.5 }],
  ['text', { ...calendar, dayOfMonth: '15' }],
  ['a negative number of days', { ...calendar, withinDays: -1 }],
  ['16 days', { ...calendar, withinDays: 16 }],
  ['no day', { withinDays: 3 }],
  ['no number of days', { dayOfMonth: 15 }],
  ['an unknown field', { ...calendar, hour: 9 }],
  ['a list', [calendar]],
  ['a number', 15],
];

test.each(wrong)(
  '%s is rejected by the admin API and the program file, and nothing is saved',
  async (_name, value) => {
    const before = await mainOf();
    const rejected = await put(value);
    expect(rejected).toMatchObject({ status: 400, body: { code: 'InvalidInput' } });
    expect(rejected.body.message).toContain('payoutCalendar');
    await expect(provision(JSON.stringify(value))).rejects.toThrow(/payoutCalendar/);
    expect(await mainOf()).toEqual(before);
  },
);

test('a calendar is saved, audited, kept by other edits, and cleared with null', async () => {
  const saved = await put(calendar);
  expect(saved).toMatchObject({ status: 200, body: { payoutCalendar: calendar } });
  const other = await (await manager())('PUT', '/groups/main', { version: saved.body.version, holdDays: 14 });
  expect(other.body).toMatchObject({ holdDays: 14, payoutCalendar: calendar });
  expect((await put(null)).body.payoutCalendar).toBeNull();
  const entries = await writtenEntries(service().testDatabase.database.db);
  expect(entries.filter(({ action }) => action === 'group.put').slice(-3)).toMatchObject([
    { before: { payoutCalendar: null }, after: { payoutCalendar: calendar } },
    {},
    { before: { payoutCalendar: calendar }, after: { payoutCalendar: null } },
  ]);
});

test('the first and the last possible values are accepted', async () => {
  for (const edge of [
    { dayOfMonth: 1, withinDays: 0 },
    { dayOfMonth: 28, withinDays: 15 },
  ])
    expect((await put(edge)).body.payoutCalendar).toEqual(edge);
});

test('a stale edit, another publisher’s staff and a role without the permission change nothing', async () => {
  const { version } = await mainOf();
  await put(calendar);
  expect(await put({ dayOfMonth: 1, withinDays: 0 }, version)).toMatchObject({
    status: 409,
    body: { code: 'Stale' },
  });
  const json = { version: (await mainOf()).version, payoutCalendar: null };
  const rival = await asRole(service(), 'owner', 'rival');
  expect(await rival('PUT', '/admin/v1/publishers/aurora/groups/main', json)).toMatchObject({ status: 404 });
  const finance = await asRole(service(), 'finance');
  expect(await finance('PUT', '/groups/main', json)).toMatchObject({ status: 403 });
  expect((await mainOf()).payoutCalendar).toEqual(calendar);
});

test('a program file sets and clears the calendar, and the exported file has it', async () => {
  const exported = async () =>
    parse((await (await asRole(service(), 'owner'))('GET', '/program-file')).text).groups.find(
      ({ id }: { id: string }) => id === 'main',
    ).payoutCalendar;
  await provision('{ dayOfMonth: 20, withinDays: 2 }');
  expect((await mainOf()).payoutCalendar).toEqual({ dayOfMonth: 20, withinDays: 2 });
  expect(await exported()).toEqual({ dayOfMonth: 20, withinDays: 2 });
  await service().provision('{ publisher: { id: aurora }, groups: [ { id: main, holdDays: 9 } ] }');
  expect((await mainOf()).payoutCalendar, 'a file without the field').toEqual({
    dayOfMonth: 20,
    withinDays: 2,
  });
  await provision('null');
  expect((await mainOf()).payoutCalendar).toBeNull();
  expect((await exported()) ?? null).toBeNull();
});
