import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import { addEndpoint } from '../../test/endpoints.ts';
import { findText } from '../../test/find-text.ts';
import { purchase } from '../../test/fixtures.ts';
import { portalOrigin, usePortal } from '../../test/portal.ts';
import { testSealer } from '../../test/sealer.ts';
import { addProviderFor } from '../../test/sign-in-methods.ts';
import { type CrashingDatabase, openCrashingDatabase } from '../../test/simulation/crashing-database.ts';
import { crashMessage } from '../../test/simulation/life.ts';
import { softPasskey } from '../../test/soft-passkey.ts';
import { newRowId } from '../platform/ids.ts';
import { eraseDue } from '../privacy/requests/erase-due.ts';
import { type EventKind, eventKinds } from '../webhooks/event-kinds.ts';

const portal = await usePortal();
const { service, db, query, makeGroup, provisionGroup, settle, create, markPaid, ownDataCode, allowFile } =
  portal;
let crashing: CrashingDatabase;
let log = '';
beforeAll(async () => {
  crashing = openCrashingDatabase(service().testDatabase.connection);
  log = join(mkdtempSync(join(tmpdir(), 'erasures-')), 'erasures.ndjson');
  await addEndpoint(db(), 'aurora', 'http://127.0.0.1:1/', eventKinds as readonly EventKind[]);
});
afterAll(() => crashing?.close());

const never = new AbortController().signal;
const inDays = (days: number) => ({ now: () => new Date(Date.now() + days * 86_400_000) });
const carryOut = (days: number, at = db()) =>
  eraseDue({ db: at, sealer: testSealer, clock: inDays(days) }, log, never);
const find = (text: string) => findText(service().testDatabase.connection, text);
const logged = (account: string): string[] => {
  try {
    return readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line.includes(`"${account}"`));
  } catch {
    return []; // nothing was erased so far
  }
};

let creators = 0;
/** Creates a creator with two accounts in two groups, who signs in to the portal and has earned money. */
async function knownCreator() {
  creators += 1;
  const number = creators;
  const group = `data-${number}`;
  // The account with money is erased after the other one.
  const [account, second] = [`acc_8900${number}`, `acc_8800${number}`];
  const texts = {
    name: `Wallaby${number} Emu`,
    other: `Bandicoot${number}`,
    email: `kiwi${number}@example.com`,
    channel: `Cassowary${number}`,
    passkey: `Phone of Potoroo${number}`,
  };
  await makeGroup(group);
  await provisionGroup(
    group,
    `revShare: 10, members: [
       { id: ${account}, name: ${texts.name}, playerId: p-${group}, codes: [ { code: KIWI${number}, primary: true } ] },
       { id: ${second}, name: ${texts.other}, codes: [ { code: NUMBAT${number} } ] } ]`,
  );
  const browser = await portal.creator(texts.email, account);
  expect(await browser.post('/claims', { authCode: await portal.authCode(second) })).toMatchObject({
    status: 200,
  });
  await addProviderFor(db(), texts.email, { provider: 'twitch', name: texts.channel });
  const passkey = softPasskey(portalOrigin);
  await browser.post('/sign-in-methods/codes', { kind: 'passkey' });
  const { code } = await portal.nextMail();
  const { body: options } = await browser.post('/sign-in-methods/passkeys/options', { code });
  const added = { name: texts.passkey, response: passkey.create(options) };
  expect(await browser.post('/sign-in-methods/passkeys', added)).toMatchObject({ status: 200 });
  await portal.nextMail();
  const sold = purchase({
    code: `KIWI${number}`,
    playerId: `buyer-${group}`,
    playerName: `Buyer of ${group}`,
  });
  expect(await portal.record(sold, { query: `?groupId=${group}` })).toMatchObject({ status: 200 });
  await settle();
  return {
    ...{ account, second, group, texts, browser, sold },
    async pay() {
      const [payout] = await create(group);
      await markPaid(payout?.batchId ?? '');
    },
  };
}

interface Table {
  table: string;
  accountId?: string;
  rows: Record<string, unknown>[];
}
const ask = async (browser: Browser) =>
  browser.post('/erasure', { code: await ownDataCode(browser, 'erasure') });
/** Requests an erasure, and drops the email about it. */
async function request(browser: Browser): Promise<void> {
  expect(await ask(browser)).toMatchObject({ status: 200 });
  await portal.sink().next();
}

const fileOf = async (browser: Browser): Promise<{ text: string; tables: Table[]; leftOut: string[] }> => {
  await allowFile(browser);
  const { status, text, headers } = await browser.get('/access-file');
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="your-data-\d{4}-\d\d-\d\d\.json"$/,
  );
  return { text, ...JSON.parse(text) };
};

test('the file has everything about the person’s accounts, and nothing of buyers, staff or other creators', async () => {
  const one = await knownCreator();
  const other = await knownCreator();
  const owner = await portal.owner();
  const note = 'Asked about a refund';
  expect(await owner.ask('POST', `/members/${one.account}/notes`, { text: note })).toMatchObject({
    status: 200,
  });
  const { text, tables } = await fileOf(one.browser);
  for (const own of [...Object.values(one.texts), `KIWI${creators - 1}`, `p-${one.group}`, one.second])
    expect(text).toContain(own);
  const others = [...Object.values(other.texts), other.account, other.group];
  for (const each of [...others, note, `buyer-${one.group}`, `Buyer of ${one.group}`, one.sold.transactionId])
    expect(text, each).not.toContain(each);
  const rowsOf = (table: string) => tables.filter((each) => each.table === table).flatMap(({ rows }) => rows);
  expect(rowsOf('creator_account').map(({ name }) => name)).toEqual([one.texts.name, one.texts.other]);
  expect(rowsOf('portal_user')).toMatchObject([{ email: one.texts.email }]);
  expect(rowsOf('portal_session')).toMatchObject([{ address: expect.any(String) }]);
  expect(rowsOf('portal_provider_account')).toMatchObject([{ subject: `id-of-${one.texts.channel}` }]);
  expect(rowsOf('portal_passkey')).toMatchObject([{ name: one.texts.passkey }]);
  expect(rowsOf('portal_passkey')[0]).not.toHaveProperty('publicKey');
  expect(rowsOf('attribution')).toMatchObject([{ code: `KIWI${creators - 1}`, groupId: one.group }]);
  expect(rowsOf('attribution')[0]).not.toHaveProperty('playerId');
  expect(rowsOf('member_balance')).toHaveLength(1);
  expect(rowsOf('ledger_entry')).not.toEqual([]);
});

test('the file and the request need a session, and the file can be downloaded a few times an hour', async () => {
  const signedOut = portal.browser();
  for (const answer of [
    await signedOut.get('/access-file'),
    await signedOut.get('/erasure'),
    await signedOut.post('/access-file/codes', {}),
    await signedOut.post('/access-file/codes/enter', { code: 'AAAA-AAAA' }),
    await signedOut.post('/erasure/codes', {}),
    await signedOut.post('/erasure', { code: 'AAAA-AAAA' }),
    await signedOut.send('DELETE', '/erasure'),
  ])
    expect(answer.status).toBe(401);
  const person = await portal.signedIn('often@example.com');
  await allowFile(person);
  for (let count = 0; count < 6; count += 1) expect((await person.get('/access-file')).status).toBe(200);
  const limited = await person.get('/access-file');
  expect([limited.status, limited.body.code]).toEqual([429, 'RateLimited']);
});

test('an emailed code allows its session to download the file for ten minutes', async () => {
  const person = await portal.signedIn('careful@example.com');
  const forbidden = async (browser: Browser) =>
    expect(await browser.get('/access-file')).toMatchObject({ status: 403, body: { code: 'Forbidden' } });
  const enter = (browser: Browser, code: string) => browser.post('/access-file/codes/enter', { code });
  const wrong = { status: 400, body: { code: 'InvalidInput', message: expect.stringMatching(/code/) } };
  await forbidden(person);
  const code = await ownDataCode(person, 'access-file');
  await forbidden(person);
  expect(await enter(person, 'AAAA-AAAA')).toMatchObject(wrong);
  expect(await enter(person, await ownDataCode(person, 'erasure')), 'of another action').toMatchObject(wrong);
  const phone = await portal.signedIn('careful@example.com');
  expect(await enter(phone, code), 'of another session').toMatchObject(wrong);
  await forbidden(person);
  const { until } = (await enter(person, code)).body;
  expect(Date.parse(until) - Date.now()).toBeGreaterThan(8 * 60_000);
  expect(Date.parse(until) - Date.now()).toBeLessThanOrEqual(10 * 60_000);
  expect(await enter(person, code), 'twice').toMatchObject(wrong);
  expect((await person.get('/access-file')).status).toBe(200);
  expect((await person.get('/access-file')).status, 'a download that broke off').toBe(200);
  await forbidden(phone);
  await query(sql`update portal_confirmation set used_at = used_at - interval '11 minutes'`);
  await forbidden(person);
});

test('an erasure needs an emailed code of its own', async () => {
  const { browser } = await knownCreator();
  const refused = async (body: object) => {
    expect(await browser.post('/erasure', body)).toMatchObject({
      status: 400,
      body: { code: 'InvalidInput' },
    });
    expect((await browser.get('/erasure')).body.request).toBeNull();
  };
  await refused({});
  await refused({ code: 'AAAA-AAAA' });
  await refused({ code: await ownDataCode(browser, 'access-file') });
  const code = await ownDataCode(browser, 'erasure');
  await query(sql`update portal_confirmation set expires_at = now()`);
  await refused({ code });
  const other = await ownDataCode(browser, 'erasure');
  for (let tries = 0; tries < 10; tries += 1) await refused({ code: 'AAAA-AAAB' });
  await refused({ code: other });
  const used = await ownDataCode(browser, 'erasure');
  expect(await browser.post('/erasure', { code: used })).toMatchObject({ status: 200 });
  await portal.sink().next();
  expect((await browser.send('DELETE', '/erasure')).status).toBe(200);
  await refused({ code: used });
});

test('a request is made once, mailed and audited, and can be withdrawn until the erasure starts', async () => {
  const { browser, account, second, texts } = await knownCreator();
  const other = await knownCreator();
  expect((await browser.get('/erasure')).body).toMatchObject({ request: null, withdrawalDays: 14 });
  const asked = await ask(browser);
  expect(asked.status).toBe(200);
  const { requestedAt, dueAt } = asked.body.request;
  expect(Date.parse(dueAt) - Date.parse(requestedAt)).toBe(14 * 86_400_000);
  const mail = await portal.sink().next();
  expect(mail).toContain(`To: ${texts.email}`);
  expect(mail.replaceAll('=\r\n', '')).toContain('/creators/your-data');
  expect((await ask(browser)).body, 'twice').toEqual(asked.body);
  const [owner, rival] = [await portal.owner(), await portal.owner('rival')];
  const attention = async (staff: typeof owner) => (await staff.ask('GET', '/attention')).body.erasures;
  expect(await attention(owner), 'the accounts that the publisher knows').toEqual([
    { memberId: second, name: texts.other, dueAt },
    { memberId: account, name: texts.name, dueAt },
  ]);
  expect(await attention(rival)).toEqual([]);
  expect((await other.browser.get('/erasure')).body.request).toBeNull();
  expect((await other.browser.send('DELETE', '/erasure')).status).toBe(200);
  expect((await browser.get('/erasure')).body).toEqual(asked.body);

  const withdrawn = await browser.send('DELETE', '/erasure');
  expect([withdrawn.status, withdrawn.body.request]).toEqual([200, null]);
  expect((await browser.send('DELETE', '/erasure')).status, 'twice').toBe(200);
  const audited = await query(sql<{ action: string; actor: string }>`
    select action, actor_id as actor from audit_entry
    where target = ${`member:${account}`} and action like 'erasure.%' order by audit_id`);
  expect(audited).toEqual([
    { action: 'erasure.request', actor: account },
    { action: 'erasure.withdraw', actor: account },
  ]);
  expect(await carryOut(15)).toBe(0);
  expect((await find(texts.name)).length).toBeGreaterThan(0);

  const codes = [await ownDataCode(browser, 'erasure'), await ownDataCode(browser, 'erasure')];
  const both = await Promise.all(codes.map((code) => browser.post('/erasure', { code })));
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  await portal.sink().next();
  await query(sql`update erasure_request set started_at = now()`);
  const late = await browser.send('DELETE', '/erasure');
  expect([late.status, late.body.message]).toEqual([
    409,
    'The erasure has started. It can no longer be withdrawn.',
  ]);
  await query(sql`delete from erasure_request`);
});

test('a due request waits for money, and then erases all accounts and the sign-in', async () => {
  const { browser, account, second, texts, group, pay } = await knownCreator();
  await request(browser);
  const { openMoney } = (await browser.get('/erasure')).body;
  expect(openMoney).toEqual([
    {
      publisher: expect.objectContaining({ publisherId: 'aurora' }),
      owed: [{ currency: 'USD', amountMinor: expect.any(String) }],
      isOnItsWay: false,
    },
  ]);
  expect(Number(openMoney[0].owed[0].amountMinor)).toBeGreaterThan(0);
  expect(await carryOut(15)).toBe(0);
  expect([logged(account), logged(second)]).toEqual([[], []]);
  const [payout] = await create(group);
  expect((await browser.get('/erasure')).body.openMoney).toMatchObject([{ owed: [], isOnItsWay: true }]);
  expect(await carryOut(15)).toBe(0);
  await portal.cancel(payout?.batchId ?? '');
  await pay();
  expect((await browser.get('/erasure')).body).toMatchObject({
    openMoney: [],
    request: { hasStarted: false },
  });
  expect(await carryOut(13.9), 'before the time').toBe(0);
  for (const text of Object.values(texts)) expect(await find(text)).not.toEqual([]);

  expect(await Promise.all([carryOut(14.1), carryOut(14.1)])).toContain(1);
  for (const text of Object.values(texts)) expect([text, await find(text)]).toEqual([text, []]);
  expect((await browser.get('/session')).status).toBe(401);
  for (const each of [account, second])
    expect(JSON.parse(logged(each)[0] ?? '')).toMatchObject({ kind: 'creator', account: each, codes: false });
  const erased = await query(sql<{ actor: string }>`
    select distinct actor_kind as actor from audit_entry
    where target = ${`member:${account}`} and action = 'member.erase'`);
  expect(erased).toEqual([{ actor: 'service' }]);
  expect(await query(sql`select 1 from erasure_request`)).toEqual([]);
  await portal.expectSound();
});

test('killed anywhere, an erasure that was requested is finished by the next call', async () => {
  const { browser, texts, pay } = await knownCreator();
  await pay();
  await request(browser);
  let kills = 0;
  const run = (beforeStatement: number) =>
    carryOut(15, crashing.db({ beforeStatement })).then(
      () => true,
      (error: unknown) => {
        expect(String(error)).toMatch(crashMessage);
        return false;
      },
    );
  for (let statement = 1; !(await run(statement)); statement += 4) kills += 1;
  expect(kills).toBeGreaterThan(10);
  for (const text of Object.values(texts)) expect([text, await find(text)]).toEqual([text, []]);
  expect(await query(sql`select 1 from erasure_request`)).toEqual([]);
  await portal.expectSound();
});

test('a person without accounts is erased, and a file that cannot be written erases no one', async () => {
  const person = await portal.signedIn('alone@example.com');
  await request(person);
  expect(await carryOut(15)).toBe(1);
  expect(await find('alone@example.com')).toEqual([]);
  const { browser, texts, pay } = await knownCreator();
  await pay();
  await request(browser);
  const deps = { db: db(), sealer: testSealer, clock: inDays(15) };
  await expect(eraseDue(deps, '/nowhere/erasures.ndjson', never)).rejects.toThrow(/Nothing was erased/);
  for (const text of Object.values(texts)) expect(await find(text)).not.toEqual([]);
  rmSync(log, { force: true });
});

// Last, because the copied rows have no sums, so the ledger isn't sound afterward.
test('a long file has each row once', async () => {
  const { browser, group, sold } = await knownCreator();
  const ids = Array.from({ length: 2_500 }, () => newRowId());
  await sql`
    insert into attribution
    select (jsonb_populate_record(a, jsonb_build_object('attribution_id', id, 'transaction_id', id::text))).*
    from attribution a, unnest(${ids}::uuid[]) as n (id)
    where a.publisher_id = 'aurora' and a.transaction_id = ${sold.transactionId}`.execute(db());
  const { tables } = await fileOf(browser);
  const rows = tables.filter(({ table }) => table === 'attribution').flatMap((each) => each.rows);
  expect(new Set(rows.map(({ attributionId }) => attributionId)).size).toBe(2_501);
  expect(rows).toHaveLength(2_501);
  expect(new Set(rows.map(({ groupId }) => groupId))).toEqual(new Set([group]));
});
