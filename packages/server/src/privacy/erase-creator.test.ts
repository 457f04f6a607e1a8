import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../test/attribution-process.ts';
import { databaseUrl } from '../../test/database-url.ts';
import { addEndpoint } from '../../test/endpoints.ts';
import { allMoney, findText } from '../../test/find-text.ts';
import { purchase } from '../../test/fixtures.ts';
import { usePortal } from '../../test/portal.ts';
import { runInProcess } from '../../test/run-in-process.ts';
import { testSealer } from '../../test/sealer.ts';
import { type CrashingDatabase, openCrashingDatabase } from '../../test/simulation/crashing-database.ts';
import { crashMessage } from '../../test/simulation/life.ts';
import { testActor } from '../../test/test-actor.ts';
import { enterMethod } from '../payees/enter-method.ts';
import { systemClock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import { toAccountId } from '../platform/ids.ts';
import { type EventKind, eventKinds } from '../webhooks/event-kinds.ts';
import { eraseCreator } from './erase-creator.ts';

const portal = await usePortal();
const { service, db, query, makeGroup, provisionGroup, earn, settle, create, markPaid, refund } = portal;
const publisherId = 'aurora';
let crashing: CrashingDatabase;
let log = '';
let owner: Awaited<ReturnType<typeof portal.owner>>;
beforeAll(async () => {
  crashing = openCrashingDatabase(service().testDatabase.connection);
  log = join(mkdtempSync(join(tmpdir(), 'erasures-')), 'erasures.ndjson');
  for (const id of ['aurora', 'rival'])
    await addEndpoint(db(), id, 'http://127.0.0.1:1/', eventKinds as readonly EventKind[]);
  owner = await portal.owner();
});
afterAll(() => crashing?.close());

const command = (...words: string[]) =>
  runInProcess(['members', 'erase', ...words], {
    environment: { DATABASE_URL: databaseUrl(service().testDatabase.connection) },
  });
const erase = (accountId: string, { at = db(), codes = false, givenUp = [] as string[] } = {}) =>
  eraseCreator({ db: at, sealer: testSealer, clock: systemClock }, testActor, {
    ...{ accountId: toAccountId(accountId), replacesCodes: codes, givenUp, reason: null },
  });
const find = (text: string) => findText(service().testDatabase.connection, text);

let creators = 0;
/**
 * Makes a creator whose data is in every place: names, pictures, logins, codes, notes, tags, portal, payout method, purchases,
 * a refund, events with responses, and audit entries.
 */
async function knownCreator() {
  creators += 1;
  const number = creators;
  const group = `erased-${number}`;
  const account = `acc_7700${number}`;
  const texts = {
    name: `Quokka${number} Wombat`,
    picture: `https://pictures.example/numbat${number}.png`,
    player: `bilby-${number}`,
    display: `Dingo${number}`,
    login: `potoroo${number}`,
    email: `cassowary${number}@example.com`,
    payee: `emu${number}@example.com`,
    holder: `Echidna${number} Possum`,
    note: `Called about Galah${number}.`,
  };
  const codes = { global: `WOMBAT${number}`, group: `TAPIR${number}` };
  const member = {
    ...{ id: account, name: texts.name, logoImage: texts.picture, profileImage: texts.picture },
    ...{ playerId: texts.player, playerMetadata: { displayName: texts.display } },
    codes: [
      { code: codes.global, primary: true },
      { code: codes.group, group },
    ],
    identities: [{ provider: 'twitch', id: texts.login }],
  };
  await makeGroup(group);
  await provisionGroup(group, `revShare: 10, members: [ ${JSON.stringify(member)} ]`);
  const { ask } = owner;
  expect(await ask('POST', `/members/${account}/notes`, { text: texts.note })).toMatchObject({ status: 200 });
  await portal.creator(texts.email, account);
  expect(
    await ask('POST', '/members/bulk/tag', {
      ...{ members: [{ memberId: account, groupId: group }], tag: `tag-${number}`, isTagged: true },
    }),
  ).toMatchObject({ status: 200 });
  await enterMethod(db(), testSealer, testActor, {
    ...{ publisherId, memberId: toAccountId(account) },
    destination: {
      ...{
        kind: 'paypal',
        holderName: texts.holder,
        holderType: 'individual',
        country: 'DE',
        email: texts.payee,
      },
    },
  });
  const earned = (code: string, day: string) =>
    earn(group, 'A', 1_000, { code, transactionDate: `2024-05-${day}T12:00:00.000Z` });
  const row = await earned(codes.global, '01');
  for (const day of ['01', '02', '05']) for (const code of Object.values(codes)) await earned(code, day);
  await settle();
  await refund(row.transactionId, { refundId: 'all', amount: 1_000, reason: 'Refund' });
  await query(sql`
    insert into webhook_attempt (publisher_id, endpoint_id, event_id, attempt_number, started_at, duration_ms, status_code, answer)
    select d.publisher_id, d.endpoint_id, d.event_id, 1, now(), 1, 500, convert_to(e.event, 'UTF8')
    from webhook_delivery d
    join webhook_event e on e.publisher_id = d.publisher_id and e.event_id = d.event_id
    on conflict do nothing`);
  return {
    ...{ account, group, texts, codes },
    async pay() {
      const [payout] = await create(group);
      await markPaid(payout?.batchId ?? '');
    },
  };
}

/** Returns the lines of the file of erasures about an account. */
const logged = (account: string): string[] =>
  (existsSync(log) ? readFileSync(log, 'utf8') : '')
    .split('\n')
    .filter((line) => line.includes(`"${account}"`));

/** Returns the texts that can be found in the database. The accounts in payout methods are encrypted. */
const visible = ({ payee: _payee, holder: _holder, ...texts }: Record<string, string>): string[] =>
  Object.values(texts);

const methodsOf = (account: string) =>
  query(sql<{ sealed: string | null; hint: string; ended: boolean }>`
    select sealed, hint, ended_at is not null as ended from payee_method where account_id = ${account}`);

/** Fails the test if one of the texts is anywhere in the database. */
async function expectNowhere(texts: readonly string[]): Promise<void> {
  for (const text of texts) expect([text, await find(text)]).toEqual([text, []]);
}

test('an unknown account, missing options and a claimed account are rejected, and nothing is erased', async () => {
  expect(await command('--account', 'acc_nowhere', '--log', log)).toMatchObject({
    code: 1,
    stderr: 'There is no account acc_nowhere.\n',
  });
  expect(await command('--account', 'acc_nowhere')).toMatchObject({
    code: 1,
    stderr: 'Give --account and --log, or --replay.\n',
  });
  await query(sql`
    insert into creator_account (account_id, name, closed_at, claimed_by) values ('acc_claimed', 'C', now(), 'acc_alice')`);
  expect(await command('--account', 'acc_claimed', '--log', log)).toMatchObject({
    code: 1,
    stderr:
      'Account acc_claimed was claimed and is part of acc_alice. Nothing was erased. Erase acc_alice.\n',
  });
  expect(await query(sql`select name from creator_account where account_id = 'acc_claimed'`)).toEqual([
    { name: 'C' },
  ]);
  for (const account of ['acc_nowhere', 'acc_claimed']) expect(logged(account)).toEqual([]);
});

test('money that is owed or on its way refuses the erasure and says what to do, and giving it up keeps it out of payouts', async () => {
  const { account, group, texts, pay } = await knownCreator();
  const owed = await command('--account', account, '--log', log);
  expect([owed.code, owed.stderr]).toEqual([
    1,
    'Nothing was erased.\naurora owes the creator 60.00 USD. Pay it with a payout. If the creator gives it up, add --give-up aurora:60.00:USD.\n',
  ]);
  const wrong = await command('--account', account, '--log', log, '--give-up', 'aurora:59.00:USD');
  expect([wrong.code, wrong.stderr]).toEqual([1, owed.stderr]);
  const [payout] = await create(group);
  expect((await command('--account', account, '--log', log)).stderr).toMatch(
    /A line of payout \d+ of aurora is on its way/,
  );
  for (const text of visible(texts)) expect([text, await find(text)]).not.toEqual([text, []]);
  expect(logged(account), 'refused before the line is written').toEqual([]);
  await portal.cancel(payout?.batchId ?? '');
  expect(
    await command('--account', account, '--log', log, '--give-up', 'aurora:60.00:USD', '--json'),
  ).toMatchObject({ code: 0, stderr: '' });
  await expectNowhere(Object.values(texts));
  await earn(group, 'A', 5_000);
  await settle();
  const { payables } = await portal.preview(group);
  const due = payables.filter(({ isDue }) => isDue).map(({ memberId }) => memberId);
  expect(due, 'the amount that was given up is on hold').toEqual([`acc_${group}_A`]);
  await portal.expectSound();
  await pay();
  const notOwed = await command('--account', account, '--log', log, '--give-up', 'aurora:1.00:USD');
  expect([notOwed.code, notOwed.stderr]).toEqual([
    1,
    expect.stringContaining('add --give-up aurora:60.00:USD.'),
  ]);
});

test('a negative balance refuses the erasure until the publisher gives it up', async () => {
  const { account, texts, group, pay } = await knownCreator();
  await pay();
  const [row] = await query(sql<{ id: string }>`
    select attribution_id as id from attribution where group_id = ${group} and status = 'Normal' order by 1 limit 1`);
  await portal.clawBack(row?.id ?? '', 'Fraud');
  const refused = await command('--account', account, '--log', log);
  expect(refused.stderr).toContain(
    'The creator owes aurora 10.00 USD. If the publisher gives it up, add --give-up aurora:-10.00:USD.',
  );
  expect((await command('--account', account, '--log', log, '--give-up', 'aurora:-10.00:USD')).code).toBe(0);
  await expectNowhere(Object.values(texts));
  await portal.expectSound();
});

test('a creator is nowhere in the database afterward, codes stay reserved, and a second call changes nothing', async () => {
  const { account, texts, codes, group, pay } = await knownCreator();
  await pay();
  const other = await knownCreator();
  await query(sql`
    insert into audit_entry (publisher_id, audit_id, at, actor_kind, actor_id, actor_name, action, target, reason)
    values (${publisherId}, gen_random_uuid(), now(), 'command', 'test', 'test', 'group.put', 'group:main',
            ${`As agreed with ${texts.display}`})`);
  for (const text of visible(texts)) expect([text, await find(text)]).not.toEqual([text, []]);
  expect(await methodsOf(account)).toEqual([
    { sealed: expect.any(String), hint: expect.any(String), ended: false },
  ]);
  const before = await query(allMoney);
  const { code, stdout, stderr } = await command(
    '--account',
    account,
    '--log',
    log,
    '--reason',
    'request 9',
    '--json',
  );
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({ account, publishers: ['aurora'], removed: 1, codes: 0 });
  await expectNowhere(Object.values(texts));
  expect(await methodsOf(account)).toEqual([{ sealed: null, hint: '(erased)', ended: true }]);
  expect(await query(allMoney)).toEqual(before);
  await portal.expectSound();
  expect(JSON.parse(readFileSync(log, 'utf8').trim().split('\n').at(-1) ?? '')).toEqual({
    ...{ at: expect.any(String), kind: 'creator', account, codes: false, givenUp: [] },
  });
  const [removed] = await query(sql<{ event: string }>`
    select event from webhook_event where kind = 'GroupManagement/RemovedMember' and event like ${`%${account}%`}`);
  expect(JSON.parse(removed?.event ?? '{}')).toMatchObject({ memberId: account, removalReason: 'Erased' });
  const audited = await query(sql<{ action: string; reason: string | null; after: unknown }>`
    select action, reason, after from audit_entry where target = ${`member:${account}`} order by audit_id`);
  expect(audited.filter(({ action }) => action === 'member.erase')).toEqual([
    { action: 'member.erase', reason: 'request 9', after: { erased: true } },
  ]);
  expect(audited.map(({ action }) => action)).toContain('audit.redact');
  expect(
    audited.filter(({ after }) => !JSON.stringify(after ?? { erased: true }).includes('"erased":true')),
  ).toEqual([]);

  const taken = await owner.ask('POST', `/members?group=${group}`, {
    name: 'New',
    codes: [{ code: codes.global }],
  });
  expect(taken.status, 'the code is reserved').toBe(409);
  await provisionGroup(
    group,
    `revShare: 10, members: [ { id: ${account}, name: ${texts.name}, status: Approved, playerId: ${texts.player} } ]`,
  );
  await expectNowhere([texts.name, texts.player]);
  expect((await owner.ask('GET', `/members/${account}?group=${group}`)).body).toMatchObject({
    ...{ name: 'Former creator', status: 'Removed', playerId: null },
  });
  expect((await find(other.texts.name)).length).toBeGreaterThan(0);

  const entries = await query(sql`select 1 from audit_entry`);
  const again = await command('--account', account, '--log', log);
  expect(again.stdout).toBe(`Nothing of ${account} is left to erase.\n`);
  expect(await query(sql`select 1 from audit_entry`)).toHaveLength(entries.length);
});

test('with --codes, the codes are nowhere either, and sums and pages of purchases are the same', async () => {
  const { account, texts, codes, group, pay } = await knownCreator();
  await pay();
  const before = await query(allMoney);
  const { code, stdout, stderr } = await command('--account', account, '--codes', '--log', log, '--json');
  expect(stderr).toBe('');
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { codes: 7 }]);
  await expectNowhere([
    ...Object.values(texts),
    ...Object.values(codes),
    ...Object.values(codes).map((each) => each.toLowerCase()),
  ]);
  expect(await query(allMoney)).toEqual(before);
  await portal.expectSound();
  const rows = await query(
    sql<{ code: string }>`select distinct code from attribution where group_id = ${group}`,
  );
  expect(rows).toHaveLength(2);
  for (const each of rows) expect(each.code).toMatch(/^ERASED-[0-9A-F]{10}$/);
  const { body } = await portal.list(`groupId=${group}&code=${rows[0]?.code}`);
  expect(body.length).toBeGreaterThan(0);
});

/** Waits until a statement of another connection waits for a lock that the test holds. */
const untilWaiting = () =>
  until('a connection to wait for a lock', async () => {
    const waiting = await query(sql`
      select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query ~ 'redact_audit'`);
    return waiting.length > 0;
  });

test('an event that is published during the erasure leaves nothing', async () => {
  const { account, group, texts, codes, pay } = await knownCreator();
  await pay();
  const sent = { code: codes.group, status: 'Test' };
  const { transactionId } = await earn(group, 'A', 100, sent);
  await settle();
  // The erasure waits here, because only one call at a time changes the audit log.
  const [refunded, erasing] = await db()
    .transaction()
    .execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(7301986146)`.execute(tx);
      const erasing = command('--account', account, '--codes', '--log', log);
      await untilWaiting();
      return [await portal.patch(transactionId, { form: { action: 'Refund' } }), erasing] as const;
    });
  expect(refunded.status).toBe(200);
  expect((await erasing).stderr).toBe('');
  await expectNowhere([...Object.values(texts), ...Object.values(codes)]);
});

test('player ids and codes that the creator no longer had are found by the rows of purchases', async () => {
  const { account, group, texts, codes, pay } = await knownCreator();
  await pay();
  const place = `/members/${account}?group=${group}`;
  const { version } = (await owner.ask('GET', place)).body;
  const changed = await owner.ask('PATCH', place, { version, playerId: 'quoll-new' });
  expect(changed.status).toBe(200);
  const removed = await owner.ask(
    'DELETE',
    `/members/${account}/codes/${codes.group}?group=${group}&scope=group`,
  );
  expect(removed.status).toBe(200);
  const events = await query(
    sql`select 1 from webhook_event where event like ${`%${texts.player}%`} and event like ${`%${codes.group}%`}`,
  );
  expect(events.length).toBeGreaterThan(0);
  expect((await command('--account', account, '--codes', '--log', log)).stderr).toBe('');
  await expectNowhere(['quoll-new', ...Object.values(texts), ...Object.values(codes)]);
  expect((await command('--account', account, '--codes', '--log', log)).stdout).toBe(
    `Nothing of ${account} is left to erase.\n`,
  );
});

test('an account shared by two publishers is erased at both, and refused if one of them owes money', async () => {
  const { account, texts, pay } = await knownCreator();
  await pay();
  const membershipId = '01a1fdba-7a55-7b02-8c3d-1f2e3d4c5b6a';
  await query(sql`
    insert into membership (publisher_id, membership_id, group_id, account_id, player_id, status)
    values ('rival', ${membershipId}::uuid, 'main', ${account}, ${texts.player}, 'Approved')`);
  const { status } = await portal.record(purchase({ code: `WOMBAT${creators}` }), {
    key: portal.keys().rival,
  });
  expect(status).toBe(200);
  await settle();
  expect((await command('--account', account, '--log', log)).stderr).toMatch(
    /^Nothing was erased\.\nrival owes the creator/,
  );
  expect((await find(texts.name)).length).toBeGreaterThan(0);
  const [owed] = await query(sql<{ n: string }>`
    select balance_minor::text as n from member_balance where membership_id = ${membershipId}::uuid`);
  const amount = `rival:${(Number(owed?.n) / 100).toFixed(2)}:USD`;
  expect(await command('--account', account, '--log', log, '--give-up', amount)).toMatchObject({
    ...{ code: 0, stderr: '' },
  });
  await expectNowhere(Object.values(texts));
  const memberships = await query(sql`select status from membership where account_id = ${account}`);
  expect(memberships).toEqual([{ status: 'Removed' }, { status: 'Removed' }]);
  await portal.expectSound();
});

test('killed at its statements and commits, the erasure is finished by the next one, and the ledger is sound each time', async () => {
  const { account, texts, codes, pay } = await knownCreator();
  await pay();
  const before = await query(allMoney);
  let kills = 0;
  let statement = 1;
  const run = (at: Db) =>
    erase(account, { at, codes: true }).then(
      () => true,
      (error: unknown) => {
        expect(String(error)).toMatch(crashMessage);
        return false;
      },
    );
  for (; !(await run(crashing.db({ beforeStatement: statement }))); statement += 3) {
    kills += 1;
    expect(await query(allMoney)).toEqual(before);
    if (kills % 6 === 0) await portal.expectSound();
  }
  expect(kills).toBeGreaterThan(10);
  await expectNowhere([...Object.values(texts), ...Object.values(codes)]);
  expect(await query(allMoney)).toEqual(before);
  await portal.expectSound();
  const next = await knownCreator();
  await next.pay();
  const nextRun = async (afterCommit: number) => {
    const error = await erase(next.account, { at: crashing.db({ afterCommit }), codes: true }).then(
      () => null,
      String,
    );
    if (error !== null) expect(error).toMatch(crashMessage);
    return error === null;
  };
  let commits = 0;
  while (!(await nextRun(commits + 1))) {
    commits += 1;
    await portal.expectSound();
  }
  expect(commits).toBeGreaterThan(4);
  await expectNowhere([...Object.values(next.texts), ...Object.values(next.codes)]);
});

test('while purchases are posted and payouts run, either the money is seen or the creator is erased, and books are sound', async () => {
  const { account, group, texts, codes, pay } = await knownCreator();
  await pay();
  const buys = Array.from({ length: 6 }, () =>
    portal.record(purchase({ code: codes.group, subtotal: 100, total: 100 }), { query: `?groupId=${group}` }),
  );
  const [erased, , , ...bought] = await Promise.allSettled([
    erase(account),
    settle(),
    create(group),
    ...buys,
  ]);
  for (const each of bought) expect([200, 400]).toContain(each.status === 'fulfilled' && each.value.status);
  await settle();
  await portal.expectSound();
  if (erased?.status === 'rejected') {
    expect(String(erased.reason)).toMatch(/Nothing was erased|still being posted/);
    expect((await find(texts.name)).length).toBeGreaterThan(0);
  } else await expectNowhere(Object.values(texts));
});

test('two erasures at once erase the creator once', async () => {
  const { account, texts, codes, pay } = await knownCreator();
  await pay();
  const done = await Promise.all([erase(account, { codes: true }), erase(account, { codes: true })]);
  expect(done.map(({ removed }) => removed).sort()).toEqual([0, 1]);
  expect(
    done.reduce((sum, each) => sum + each.codes, 0),
    'each row once',
  ).toBe(7);
  await expectNowhere([...Object.values(texts), ...Object.values(codes)]);
  await portal.expectSound();
});

test('the portal no longer knows the person, who can sign in again as a new person', async () => {
  const { account, texts, pay } = await knownCreator();
  await pay();
  const browser = await portal.signedIn(texts.email);
  expect((await browser.get('/accounts')).body.rows).toMatchObject([{ accountId: account }]);
  const userOf = () =>
    query(sql<{ id: string }>`select user_id as id from portal_user where email = ${texts.email}`);
  const [before] = await userOf();
  const method = {
    ...{ kind: 'paypal', holderName: 'Holder of the account', holderType: 'individual', country: 'DE' },
    email: 'own-method@example.com',
  };
  const publisher = '?publisher=aurora';
  expect(await browser.post(`/payout-methods/codes${publisher}`, method)).toMatchObject({ status: 200 });
  const { code } = await portal.nextMail();
  const saving = await browser.post(`/payout-methods${publisher}`, { ...method, code });
  expect(saving).toMatchObject({ status: 200 });
  await erase(account);
  expect(await query(sql`select 1 from creator_notice where account_id = ${account}`)).toEqual([]);
  expect(
    await query(sql`
      select hint from payee_method where account_id = ${account} and (sealed is not null or ended_at is null)`),
  ).toEqual([]);
  expect((await browser.get('/session')).status).toBe(401);
  expect(await userOf()).toEqual([]);
  const again = await portal.signedIn(texts.email);
  expect((await again.get('/accounts')).body).toEqual({ rows: [] });
  expect((await userOf())[0]?.id).not.toBe(before?.id);
});

test('a person who was invited and signed in, but has connected no account, is deleted', async () => {
  const invite = async (email: string): Promise<string> => {
    const account = `acc_invited_${email.slice(0, 4)}`;
    await provisionGroup(
      `invited-${email.slice(0, 4)}`,
      `revShare: 10, members: [ { id: ${account}, name: Invited } ]`,
    );
    const { status } = await owner.ask('POST', `/members/${account}/portal-invitations`, { email });
    expect(status).toBe(200);
    await portal.nextMail();
    return account;
  };
  const usersOf = (email: string) => query(sql`select 1 from portal_user where email = ${email}`);
  const onlyInvited = await invite('only-invited@example.com');
  const browser = await portal.signedIn('only-invited@example.com');
  expect(await usersOf('only-invited@example.com')).toHaveLength(1);
  await erase(onlyInvited);
  expect(await usersOf('only-invited@example.com')).toEqual([]);
  expect((await browser.get('/session')).status).toBe(401);

  const { texts } = await knownCreator();
  await erase(await invite(texts.email));
  expect(await usersOf(texts.email), 'the person has another account').toHaveLength(1);
});

test('a creator in the file of erasures is erased again after a restoration', async () => {
  const { account, texts, pay } = await knownCreator();
  await pay();
  const file = join(mkdtempSync(join(tmpdir(), 'replay-')), 'erasures.ndjson');
  const line = { at: new Date(), kind: 'creator', account, codes: false, givenUp: [] };
  writeFileSync(file, `${JSON.stringify(line)}\n`);
  expect(await command('--replay', file)).toMatchObject({
    ...{ code: 0, stdout: '1 erasures repeated: 1 changed something, 0 failed.\n' },
  });
  await expectNowhere(Object.values(texts));
  expect(await command('--replay', file)).toMatchObject({
    ...{ code: 0, stdout: '1 erasures repeated: 0 changed something, 0 failed.\n' },
  });
});
