import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { usePortal } from '../../test/portal.ts';

const portal = await usePortal();
const { creator, makeMember, query, service } = portal;
const at = '?publisher=aurora';

const namesOf = async (...accounts: string[]) =>
  (
    await query<{ name: string }>(sql`
      select name from creator_account where account_id = any(${accounts}::text[]) order by account_id`)
  ).map(({ name }) => name);

test('a creator changes their name, which their publisher sees and the audit log records', async () => {
  const memberId = await makeMember('moba', 'KOALA');
  const other = await makeMember('moba', 'DINGO');
  const person = await creator('koala@example.com', memberId);
  const rename = (name: unknown, from = person) => from.post(`/name${at}`, { name });
  expect(await rename('  Koala Live ')).toMatchObject({ status: 200, body: { name: 'Koala Live' } });
  expect((await person.get('/accounts')).body.rows).toMatchObject([{ name: 'Koala Live' }]);
  const staff = await portal.owner();
  expect((await staff.ask('GET', '/members?q=Koala')).body.rows).toMatchObject([
    { memberId, name: 'Koala Live' },
  ]);
  expect(await rename('Koala Live'), 'unchanged').toMatchObject({ status: 200 });
  expect(
    await query(sql`
      select actor_kind, actor_id, before, after from audit_entry
      where target = ${`member:${memberId}`} and action = 'portal.rename'`),
  ).toEqual([
    {
      ...{ actor_kind: 'creator', actor_id: memberId },
      ...{ before: { name: 'KOALA' }, after: { name: 'Koala Live' } },
    },
  ]);
  for (const wrong of ['', '   ', 'a'.repeat(256), 'a\0b', 7, null]) {
    const { status, body } = await rename(wrong);
    expect([wrong, status, body.code]).toEqual([wrong, 400, 'InvalidInput']);
  }
  expect(await rename('Thief', await portal.signedIn('no-accounts@example.com'))).toMatchObject({
    status: 404,
  });
  expect(await rename('Thief', portal.browser())).toMatchObject({ status: 401 });
  expect(await namesOf(memberId)).toEqual(['Koala Live']);
  expect(await namesOf(other)).toEqual(['DINGO']);
});

test('concurrent changes of a name leave one of them, each recorded after the other', async () => {
  const memberId = await makeMember('moba', 'EMU');
  const person = await creator('emu@example.com', memberId);
  const chosen = ['Emu 1', 'Emu 2', 'Emu 3', 'Emu 4'];
  const answers = await Promise.all(chosen.map((name) => person.post(`/name${at}`, { name })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const entries = await query<{ before: { name: string }; after: { name: string } }>(sql`
    select before, after from audit_entry
    where target = ${`member:${memberId}`} and action = 'portal.rename' order by audit_id`);
  expect(entries.map(({ after }) => after.name).sort()).toEqual(chosen);
  expect(entries.map(({ before }) => before.name)).toEqual([
    'EMU',
    ...entries.slice(0, -1).map(({ after }) => after.name),
  ]);
  expect(await namesOf(memberId)).toEqual([entries.at(-1)?.after.name]);
});

test('a name changes at all publishers of the account, and only ten times a day', async () => {
  const memberId = await makeMember('moba', 'POSSUM');
  await service().provision(
    `{ publisher: { id: rival }, groups: [ { id: main, members: [ { id: acc_possum_2, name: Possum, codes: [ { code: POSSUM-2, primary: true } ] } ] } ] }`,
  );
  await query(sql`update membership set account_id = ${memberId} where account_id = 'acc_possum_2'`);
  const person = await creator('possum@example.com', memberId);
  for (let count = 1; count <= 10; count += 1)
    expect(await person.post(`/name${at}`, { name: `Possum ${count}` })).toMatchObject({ status: 200 });
  const limited = await person.post(`/name${at}`, { name: 'Possum 11' });
  expect([limited.status, limited.body.code]).toEqual([429, 'RateLimited']);
  expect(await namesOf(memberId)).toEqual(['Possum 10']);
  expect(
    await query(sql`
      select publisher_id, count(*)::integer as n from audit_entry
      where target = ${`member:${memberId}`} and action = 'portal.rename' group by 1 order by 1`),
  ).toEqual([
    { publisher_id: 'aurora', n: 10 },
    { publisher_id: 'rival', n: 10 },
  ]);
});
