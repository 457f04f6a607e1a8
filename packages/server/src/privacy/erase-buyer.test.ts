import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventsOf, newPlayers, useBounties } from '../../test/bounties.ts';
import { shopSecret } from '../../test/connectors.ts';
import { databaseUrl } from '../../test/database-url.ts';
import { addEndpoint } from '../../test/endpoints.ts';
import { allMoney, findText } from '../../test/find-text.ts';
import { purchase } from '../../test/fixtures.ts';
import { runInProcess } from '../../test/run-in-process.ts';
import { testSealer } from '../../test/sealer.ts';
import { type CrashingDatabase, openCrashingDatabase } from '../../test/simulation/crashing-database.ts';
import { crashMessage } from '../../test/simulation/life.ts';
import { testActor } from '../../test/test-actor.ts';
import { changeConnector } from '../connectors/change-connector.ts';
import { createConnector } from '../connectors/create-connector.ts';
import { generic } from '../connectors/providers/generic.ts';
import { type EventKind, eventKinds } from '../webhooks/event-kinds.ts';
import { eraseBuyer } from './erase-buyer.ts';

const at = useBounties();
const { service, keys, record, get, refund, patch, settle, query, db, group, define, standing, earn } = at;
const publisherId = 'aurora';
let crashing: CrashingDatabase;
let log = '';
beforeAll(async () => {
  crashing = openCrashingDatabase(service().testDatabase.connection);
  log = join(mkdtempSync(join(tmpdir(), 'erasures-')), 'erasures.ndjson');
  for (const id of ['aurora', 'rival'])
    await addEndpoint(db(), id, 'http://127.0.0.1:1/', eventKinds as readonly EventKind[]);
});
afterAll(() => crashing?.close());

let players = 0;
/** Returns a buyer with metrics. The id has characters that JSON escapes. */
function newBuyer() {
  players += 1;
  const playerId = `Quokka "${players}" \\ é`;
  return {
    playerId,
    buyer: {
      playerId,
      playerName: `Wombat ${players}.`,
      metrics: {
        joinDate: '2019-02-03T04:05:06.000Z',
        conversion: { totalSpendToDate: { total: 71_234, currency: 'USD' } },
      },
    },
  };
}

const erase = (playerId: string, options: { before?: Date } = {}) =>
  eraseBuyer(db(), testActor, { publisherId, playerId, reason: null, before: null, ...options });
const command = (...words: string[]) =>
  runInProcess(['buyers', 'erase', ...words], {
    environment: { DATABASE_URL: databaseUrl(service().testDatabase.connection) },
  });
const find = (text: string) => findText(service().testDatabase.connection, text);
const lines = (): string[] =>
  readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line !== '');

/** Stores a receiver's response that repeats each event that was sent to aurora. */
const answerEvents = () =>
  query(sql`
    insert into webhook_attempt (publisher_id, endpoint_id, event_id, attempt_number, started_at, duration_ms, status_code, answer)
    select d.publisher_id, d.endpoint_id, d.event_id, 1, now(), 1, 500, convert_to(e.event, 'UTF8')
    from webhook_delivery d
    join webhook_event e on e.publisher_id = d.publisher_id and e.event_id = d.event_id
    on conflict do nothing`);

/** Records, posts, refunds and changes purchases of a buyer, so that every place contains the buyer. */
async function busyBuyer() {
  const { playerId, buyer } = newBuyer();
  const sent = purchase({ ...buyer, code: 'M-A', transactionDate: '2024-05-01T12:00:00.000Z' });
  const query = `?groupId=${group()}`;
  expect((await record(sent, { query })).status).toBe(200);
  const { transactionId } = purchase();
  const split = ['M-A', 'M-B'].map((code) => purchase({ ...buyer, transactionId, code }));
  expect((await record(split, { query })).status).toBe(200);
  await define({ objectives: [eventsOf('level', 50)] });
  const event = { eventId: `e-${players}`, eventCode: 'level', code: 'M-A', playerId };
  expect((await at.bounties('POST', `/events${query}`, { json: event })).status).toBe(200);
  const given = purchase({ ...buyer, code: 'M-A' });
  expect((await record(given, { query })).status).toBe(200);
  for (const id of [`other-${players}`, `next-${players}`])
    expect((await patch(given.transactionId, { form: { playerId: id, action: 'Refund' } })).status).toBe(200);
  const codePath = `/v1/attributions/players/${encodeURIComponent(playerId)}/code${query}`;
  const entered = await service().call('PUT', codePath, { key: keys().backend, json: { code: 'M-B' } });
  expect(entered.status).toBe(200);
  await shopEvent(playerId);
  await settle();
  expect((await refund(transactionId, { refundId: 'part', amount: 10, reason: 'Refund' })).status).toBe(200);
  expect((await patch(sent.transactionId, { form: { action: 'Refund' } })).status).toBe(200);
  await answerEvents();
  return { playerId, buyer, sent, split, given };
}

/** Sends an event of a shop that names the buyer, and stays unread, because the shop is paused. */
async function shopEvent(playerId: string): Promise<void> {
  const now = new Date();
  const made = { publisherId, name: `shop ${players}`, provider: 'generic', groupId: null, settings: {} };
  const deps = { db: db(), sealer: testSealer, now };
  const { connectorId } = await createConnector(deps, testActor, { ...made, secret: shopSecret });
  await changeConnector(deps, testActor, { publisherId, connectorId, isPaused: true });
  const body = Buffer.from(
    JSON.stringify({
      ...{ type: 'order.paid', time: now.toISOString() },
      order: { id: `o-${players}`, code: 'M-A', playerId, subtotal: 100, currency: 'USD' },
    }),
  );
  const headers = { 'content-type': 'application/json', ...generic.sign(body, shopSecret, now, {}) };
  const answer = await service().call('POST', `/hooks/v1/${connectorId}`, { raw: body, headers });
  expect(answer.status).toBe(200);
}

test('an unknown publisher, missing options and a file that cannot be written are rejected, and nothing is erased', async () => {
  const { playerId, buyer } = newBuyer();
  await record(purchase(buyer));
  const player = ['--player', playerId];
  expect(await command('--publisher', 'nowhere', ...player, '--log', log)).toMatchObject({
    code: 1,
    stderr: 'There is no publisher nowhere.\n',
  });
  expect(await command('--publisher', publisherId, ...player)).toMatchObject({
    code: 1,
    stderr: 'Give --publisher, --player and --log, or --replay.\n',
  });
  expect(await command('--publisher', publisherId, ...player, '--log', '/nowhere/log')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Nothing was erased, because \/nowhere\/log couldn't be written: ENOENT/),
  });
  expect(await find(playerId)).not.toEqual([]);
});

test('a buyer is nowhere in the database afterward, money is the same, and a second call changes nothing', async () => {
  await define({ objectives: [newPlayers(5)] });
  const { playerId, buyer, split, given } = await busyBuyer();
  const theirs = purchase({ ...buyer, code: 'RIVAL' });
  await record(theirs, { key: keys().rival });
  const other = newBuyer();
  const others = purchase({ ...other.buyer, code: 'M-A' });
  await record(others, { query: `?groupId=${group()}` });
  await settle();
  const places = (await find(playerId)).map((row) => row.split(':')[0]);
  expect(places.sort()).toEqual([
    ...[
      'attribution',
      'bounty_event',
      'connector_event',
      'former_buyer',
      'player_code',
      'player_first_purchase',
      'webhook_attempt',
      'webhook_event',
    ],
  ]);
  const before = await query(allMoney);

  const { code, stdout } = await command(
    ...['--publisher', publisherId, '--player', playerId, '--log', log, '--reason', 'request 17', '--json'],
  );
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    {
      ...{ publisher: publisherId, purchases: 4, firstPurchases: 1, playerCodes: 1, customEvents: 1 },
      connectorEvents: 1,
      events: expect.any(Number),
    },
  ]);
  expect(JSON.parse(stdout).events).toBe(6);
  expect(JSON.parse(lines().at(-1) ?? '')).toEqual({
    ...{ at: expect.any(String), kind: 'buyer', publisher: publisherId, player: playerId },
  });
  expect(await query(allMoney)).toEqual(before);
  await at.expectSound();
  const rows = await query(sql<{ publisher: string }>`
    select publisher_id as publisher from attribution where player_id = ${playerId}`);
  expect(rows, 'the other publisher keeps its buyer').toEqual([{ publisher: 'rival' }]);
  expect((await get(others.transactionId)).body[0].transaction).toMatchObject(other.buyer);
  const [entry] = await query(sql<Record<string, unknown>>`
    select target, reason, before, after from audit_entry where action = 'buyer.erase'`);
  expect(entry).toEqual({ target: 'publisher:aurora', reason: 'request 17', before: null, after: null });

  const again = await command('--publisher', publisherId, '--player', playerId, '--log', log);
  expect(again.stdout).toBe('Nothing of this buyer is stored at aurora.\n');
  expect(await query(sql`select 1 from audit_entry where action = 'buyer.erase'`)).toHaveLength(1);
  await eraseBuyer(db(), testActor, { publisherId: 'rival', playerId, reason: null, before: null });
  for (const text of [playerId, buyer.playerName, '71234', '2019-02-03'])
    expect([text, (await find(text)).filter((row) => !row.includes('Quokka'))]).toEqual([text, []]);
  expect(await find(playerId)).toEqual([]);
  const row = (await get(given.transactionId)).body[0].transaction;
  expect([row.playerId, row.playerName, row.metrics]).toEqual([`next-${players - 1}`, undefined, undefined]);

  const [first] = split;
  const since = new Date(Date.now() - 60_000).toISOString();
  const changed = async () => (await at.list(`groupId=${group()}&updatedSince=${since}&pageSize=1000`)).text;
  // Readers don't pass the second of a change that may not have committed.
  await expect.poll(changed, { message: 'told to those who follow changes' }).toContain(first?.transactionId);
});

test('a request that is repeated after the erasure gets the same response without the buyer', async () => {
  const { playerId, buyer } = newBuyer();
  const sent = purchase(buyer);
  const first = (await record(sent)).body;
  const repeat = (json: object) =>
    service().call('POST', '/v1/attributions/transactions', {
      key: keys().backend,
      json,
      headers: { prefer: 'return=representation' },
    });
  const before = await repeat(sent);
  await erase(playerId);
  const after = await repeat(sent);
  expect(after.status).toBe(before.status);
  const { playerId: _id, playerName: _name, metrics: _metrics, ...rest } = first.transaction;
  expect((await get(sent.transactionId)).body[0].transaction).toEqual(rest);
  expect((await repeat({ ...sent, subtotal: 1 })).status).toBe(409);
  expect(await find(playerId), 'the repeated request does not store the buyer again').toEqual([]);
});

test('a purchase after the erasure is recorded as a new player, and a repeated old erasure leaves it alone', async () => {
  const bounty = await define({ objectives: [newPlayers(10)] });
  const { playerId, buyer } = newBuyer();
  const buy = () => earn(group(), 'A', 100, buyer);
  await buy();
  await buy();
  await settle();
  expect(await standing(bounty)).toBe('0/1');
  const erasedAt = new Date();
  await erase(playerId);
  expect(await standing(bounty), 'what was counted stays').toBe('0/1');
  const { id } = await buy();
  await settle();
  expect(await standing(bounty)).toBe('0/2');
  expect(await erase(playerId, { before: erasedAt })).toEqual({
    purchases: 0,
    firstPurchases: 0,
    playerCodes: 0,
    customEvents: 0,
    connectorEvents: 0,
    events: 0,
  });
  expect(
    await query(sql`select attribution_id as id from attribution where player_id = ${playerId}`),
  ).toEqual([{ id }]);
  expect(await erase(playerId)).toMatchObject({ purchases: 1, firstPurchases: 1 });
  await at.expectSound();
});

test('killed before any of its statements, the erasure is finished by the next one, and the ledger is sound', async () => {
  await define({ objectives: [newPlayers(5)] });
  const { playerId, buyer } = await busyBuyer();
  const before = await query(allMoney);
  const request = { publisherId, playerId, reason: null, before: null };
  let kills = 0;
  for (let statement = 1; ; statement += 1) {
    const isDone = await eraseBuyer(crashing.db({ beforeStatement: statement }), testActor, request).then(
      () => true,
      (error: unknown) => {
        expect(String(error)).toMatch(crashMessage);
        return false;
      },
    );
    expect(await query(allMoney)).toEqual(before);
    if (statement % 5 === 0) await at.expectSound();
    if (isDone) break;
    kills += 1;
  }
  expect(kills).toBeGreaterThan(8);
  for (const text of [playerId, buyer.playerName]) expect(await find(text)).toEqual([]);
  await at.expectSound();
  for (const afterCommit of [1, 2]) {
    const next = await busyBuyer();
    const asked = { ...request, playerId: next.playerId };
    await expect(eraseBuyer(crashing.db({ afterCommit }), testActor, asked)).rejects.toThrow(crashMessage);
    const audited = await query(sql`select 1 from audit_entry where action = 'buyer.erase'`);
    await erase(next.playerId);
    for (const text of [next.playerId, next.buyer.playerName]) expect(await find(text)).toEqual([]);
    expect(audited.length).toBeGreaterThan(0);
  }
});

test('while purchases are recorded, posted, refunded and paid, what was acknowledged before is erased', async () => {
  await define({ objectives: [newPlayers(50)] });
  const { playerId, buyer } = newBuyer();
  const sent = Array.from({ length: 20 }, (_, index) =>
    purchase({
      ...buyer,
      code: index % 2 === 0 ? 'M-A' : 'M-B',
      transactionDate: '2024-05-01T12:00:00.000Z',
    }),
  );
  const others = newBuyer();
  await Promise.all(sent.map((each) => record(each, { query: `?groupId=${group()}` })));
  await Promise.all([
    settle(),
    erase(playerId),
    ...sent.slice(0, 5).map((each) => patch(each.transactionId, { form: { action: 'Refund' } })),
    ...sent
      .slice(5, 8)
      .map((each) => refund(each.transactionId, { refundId: 'r', amount: 5, reason: 'Refund' })),
    ...Array.from({ length: 10 }, () => earn(group(), 'A', 100, others.buyer)),
    at.create(group()),
  ]);
  expect(await find(playerId)).toEqual([]);
  await settle();
  expect(await find(playerId)).toEqual([]);
  expect((await find(others.playerId)).length).toBeGreaterThan(0);
  await at.expectSound();
});

test('a worker that is sending an event of the buyer loses it, so it cannot store the response', async () => {
  const { playerId } = await busyBuyer();
  await query(
    sql`update webhook_delivery set worker_id = gen_random_uuid() where publisher_id = ${publisherId}`,
  );
  const { events } = await erase(playerId);
  const [released] = await query(sql<{ n: bigint }>`
    select count(*) as n from webhook_delivery where publisher_id = ${publisherId} and worker_id is null`);
  expect(Number(released?.n)).toBe(events);
});

test('a file of erasures is repeated on a restored database, and a wrong line stops it', async () => {
  const [one, two] = [newBuyer(), newBuyer()];
  const file = join(mkdtempSync(join(tmpdir(), 'replay-')), 'erasures.ndjson');
  const lineOf = (player: string, publisher = publisherId) =>
    JSON.stringify({ at: new Date().toISOString(), kind: 'buyer', publisher, player });
  for (const { buyer } of [one, two]) await record(purchase(buyer));
  writeFileSync(file, `${lineOf(one.playerId)}\n{"kind":"buyer"}\n`);
  expect(await command('--replay', file)).toMatchObject({
    code: 1,
    stderr: 'Line 2 is not an erasure. Nothing was erased. Correct or delete the line.\n',
  });
  expect((await find(one.playerId)).length).toBeGreaterThan(0);
  writeFileSync(file, [one.playerId, two.playerId].map((player) => lineOf(player)).join('\n'));
  expect(JSON.parse((await command('--replay', file, '--json')).stdout)).toEqual({
    ...{ erasures: 2, changed: 2, failed: 0 },
  });
  for (const { playerId } of [one, two]) expect(await find(playerId)).toEqual([]);
  writeFileSync(file, `${lineOf(one.playerId, 'nowhere')}\n${lineOf(one.playerId)}\n`);
  expect(await command('--replay', file)).toMatchObject({
    code: 1,
    stdout: '2 erasures repeated: 0 changed something, 1 failed.\n',
    stderr: expect.stringContaining('There is no publisher nowhere.'),
  });
});
