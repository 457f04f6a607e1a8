import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConnectorRow } from '../../src/connectors/connector-record.ts';
import { pollConnectors } from '../../src/connectors/poll/poll-connectors.ts';
import { webhookProviderOf } from '../../src/connectors/providers/all-providers.ts';
import { receiveRequest } from '../../src/connectors/receive/receive-request.ts';
import { workEvents } from '../../src/connectors/work/work-events.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { type Shop, useConnectors } from '../connectors.ts';
import { testSealer } from '../sealer.ts';
import { type CrashingDatabase, openCrashingDatabase } from '../simulation/crashing-database.ts';
import { type Random, randomOf } from '../simulation/random.ts';
import { respond, type SteamServer, startSteam, steamTime } from '../steam-server.ts';
import { eventsOf, steamState } from './bodies.ts';
import { codes, creditsOf, makeOrder, type Order, type ShopProvider, shopProviders } from './order.ts';

const histories = Number(process.env.SHOPS_HISTORIES ?? 8);
const seed = Number(process.env.SHOPS_SEED ?? systemClock.now().getTime() % 2 ** 32);
/** Number of the only history to run, as a failure names it; null to run all. */
const only = process.env.SHOPS_ONLY === undefined ? null : Number(process.env.SHOPS_ONLY);

const key = '0123456789ABCDEF0123456789ABCDEF';
const appId = '480';
let now = new Date('2026-05-02T12:00:00Z');
let steam: SteamServer;
let crashing: CrashingDatabase;
beforeAll(async () => {
  steam = await startSteam(key);
});

const connectors = useConnectors({ now: () => now }, () => ({ STEAM_URL: steam.url }));
const { shop, send, settle, query, expectSound, service, keys, pollDeps, eventDeps, provisionGroup } =
  connectors;

const shops = new Map<ShopProvider, Shop>();
beforeAll(async () => {
  crashing = openCrashingDatabase(service().testDatabase.connection);
  const members = codes.map(
    (code) =>
      `{ id: acc_${code}, name: ${code}, playerId: ${code}, codes: [ { code: ${code}, group: shops } ] }`,
  );
  await provisionGroup('shops', `revShare: 100, members: [ ${members.join(', ')} ]`);
  for (const provider of shopProviders) {
    const changes = provider === 'steam' ? { secret: key, settings: { steamAppId: appId } } : {};
    shops.set(provider, await shop(provider, { groupId: 'shops', ...changes }));
  }
});
afterAll(async () => {
  await crashing?.close();
  await steam?.close();
});

const shopOf = (provider: ShopProvider): Shop => {
  const found = shops.get(provider);
  if (found === undefined) throw new Error(`no shop at ${provider}`);
  return found;
};

const later = (ms: number): void => {
  now = new Date(now.getTime() + ms);
};

/** Request that a provider sends until it is accepted. */
interface Delivery {
  shop: Shop;
  bytes: Buffer;
  /** False if the signature must be wrong, so that nothing may come of it. */
  isGenuine: boolean;
}

/** Amounts that the books owe each creator in each currency, over all histories that have run. */
const owed = new Map<string, bigint>();

test(
  `${only === null ? histories : 1} random histories of shops end with the ledger that their books demand`,
  async () => {
    process.stdout.write(`shops: SHOPS_SEED=${seed} SHOPS_HISTORIES=${histories}\n`);
    const numbers = only === null ? Array.from({ length: histories }, (_, number) => number) : [only];
    for (const number of numbers) {
      await play(number).catch((error) => {
        throw new Error(`SHOPS_SEED=${seed} SHOPS_ONLY=${number}\n${error.message}`, { cause: error });
      });
      if (number % 50 === 49) await expectSound();
    }
    await expectSound();
  },
  120_000 + histories * 5_000,
);

async function play(number: number): Promise<void> {
  const random = randomOf(seed, number);
  const orders = Array.from({ length: 7 + random.below(8) }, (_, index) =>
    makeOrder(random, `${100_000 + number}${String(index).padStart(3, '0')}`, random.pick(shopProviders)),
  );
  const deliveries = shuffled(
    random,
    orders.flatMap((order) => deliveriesOf(random, order)),
  );
  const report = new SteamReport(orders, random);
  while (deliveries.length > 0 || !report.isOver) {
    for (let left = 1 + random.below(12); left > 0; left -= 1) {
      const next = deliveries.shift();
      // A request that was lost is sent again, at some later time.
      if (next !== undefined && !(await deliver(random, next)))
        deliveries.splice(random.below(deliveries.length + 1), 0, next);
    }
    await report.advance();
    await workSomehow(random);
    later(random.oneIn(3) ? 61_000 : 1_000);
  }
  steam.heal();
  for (let round = 0; round < 4; round += 1) {
    later(1_860_000); // the longest pause after failed polls and attempts
    await connectors.poll();
    await connectors.work();
  }
  await expectNothingLeft();
  await expectBooks(orders);
}

/** Returns the requests about an order: each event one to three times, and some with another code and a wrong signature. */
function deliveriesOf(random: Random, order: Order): Delivery[] {
  const to = shopOf(order.provider);
  return eventsOf(order, now).flatMap((event) => {
    const text = JSON.stringify(event);
    const copies = random.oneIn(3) ? 2 + random.below(2) : 1;
    const genuine = Array.from({ length: copies }, () => ({
      shop: to,
      bytes: Buffer.from(text),
      isGenuine: true,
    }));
    if (!random.oneIn(4)) return genuine;
    const forged = text.replaceAll(/SHOP-[A-D]/g, 'SHOP-A').replaceAll(order.id, `9${order.id}`);
    return [...genuine, { shop: to, bytes: Buffer.from(forged), isGenuine: false }];
  });
}

function shuffled<Value>(random: Random, values: readonly Value[]): Value[] {
  const left = [...values];
  for (let at = left.length - 1; at > 0; at -= 1) {
    const other = random.below(at + 1);
    [left[at], left[other]] = [left[other] as Value, left[at] as Value];
  }
  return left;
}

/** Sends a request, sometimes to a process that dies while it handles it. @returns true if it was answered */
async function deliver(random: Random, { shop: to, bytes, isGenuine }: Delivery): Promise<boolean> {
  if (!isGenuine) {
    const { status } = await send(to, null, { raw: bytes, secret: 'whsec_of_a_forger' });
    expect([400, 403, 429]).toContain(status);
    return true;
  }
  if (!random.oneIn(6)) {
    const { status } = await send(to, null, { raw: bytes });
    expect(status).toBe(200);
    return true;
  }
  const headers = webhookProviderOf(to.provider)?.sign(bytes, to.secret, now, to.settings) ?? {};
  const connector = await readConnectorRow(connectors.db(), { publisherId: 'aurora', connectorId: to.id });
  const db = crashing.db({ beforeStatement: 1 + random.below(4) });
  return receiveRequest({ db, sealer: testSealer, now }, connector, { body: bytes, headers }).then(
    () => !random.oneIn(4),
    () => false,
  );
}

/** Works on what is due: in one process or two, in one that dies, or not at all. */
async function workSomehow(random: Random): Promise<void> {
  const deps = eventDeps();
  const dying = () => ({ ...deps, db: crashing.db({ beforeStatement: 1 + random.below(60) }) });
  switch (random.below(4)) {
    case 0:
      return;
    case 1:
      await Promise.all([workEvents(deps, 'aurora'), workEvents(deps, 'aurora')]);
      return;
    case 2:
      await workEvents(dying(), 'aurora').catch(() => undefined);
      return;
    default:
      await connectors.work();
  }
}

/** Steam's report of a history's orders, which are paid and change one after another. */
class SteamReport {
  readonly #random: Random;
  readonly #orders: { order: Order; paid: string | null; isOver: boolean }[];

  constructor(orders: readonly Order[], random: Random) {
    this.#random = random;
    this.#orders = orders
      .filter(({ provider }) => provider === 'steam')
      .map((order) => ({ order, paid: null, isOver: false }));
    steam.reports.set(appId, []);
  }

  get isOver(): boolean {
    return this.#orders.every(({ isOver }) => isOver);
  }

  /** Lets something happen at Steam, and polls, sometimes in a process that dies, or while Steam fails. */
  async advance(): Promise<void> {
    const chosen = this.#orders.find(({ isOver }) => !isOver);
    if (chosen !== undefined) await this.#change(chosen);
    if (this.#random.oneIn(4)) steam.next(appId, (response) => respond(response, 503, 'down'));
    const dies = this.#random.oneIn(4);
    const deps = pollDeps();
    const db = crashing.db({ beforeStatement: 1 + this.#random.below(8) });
    const poll = pollConnectors({ ...deps, ...(dies && { db }) }, new AbortController().signal);
    await (dies ? poll.catch(() => 0) : poll);
  }

  async #change(entry: { order: Order; paid: string | null; isOver: boolean }): Promise<void> {
    const { order } = entry;
    const time = steamTime(now);
    const isLate = this.#random.oneIn(4);
    if (entry.paid === null && !isLate) await this.#name(order);
    // The first report may already contain the end.
    const isOver = entry.paid !== null || this.#random.oneIn(3);
    const state = steamState(order, isOver, { paid: entry.paid ?? time, changed: time });
    const others = (steam.reports.get(appId) ?? []).filter(({ orderid }) => orderid !== order.id);
    steam.reports.set(appId, [...others, state]);
    entry.paid ??= time;
    entry.isOver = isOver;
    if (isLate || isOver) await this.#name(order);
  }

  async #name({ id, code, player }: Order): Promise<void> {
    const path = `/v1/connectors/${shopOf('steam').id}/orders/${id}`;
    const json = { ...(code !== null && { code }), playerId: player };
    const { status, body } = await service().call('PUT', path, { key: keys().backend, json });
    expect(status, JSON.stringify(body)).toBe(200);
  }
}

/** Checks that every event came to an end, apart from refunds of purchases that credited no creator. */
async function expectNothingLeft(): Promise<void> {
  const left = await query(sql<Record<string, unknown>>`
    select order_id, kind, status, reason, result
    from connector_event
    where publisher_id = 'aurora'
      and (status = 'Failed' or (status = 'Waiting' and reason not in ('NoPurchase', 'NoRefund')))`);
  expect(left).toEqual([]);
}

/** Compares each order's rows, and each creator's balance in each currency, with the books. */
async function expectBooks(orders: readonly Order[]): Promise<void> {
  const expected = orders.flatMap((order) =>
    [...creditsOf(order)].map(([code, minor]) => ({ order: order.id, code, minor: String(minor) })),
  );
  const ids = orders.map(({ provider, id }) => `${provider}:${id}`);
  const saved = await query(sql<{ id: string; code: string; minor: string }>`
    select a.transaction_id as id, a.code, sum(
             case when a.status = 'Normal' then a.subtotal_minor - coalesce(p.refunded_minor, 0) else 0 end
           )::text as minor
    from attribution a
    left join payment p on p.publisher_id = 'aurora' and p.attribution_id = a.attribution_id
    where a.publisher_id = 'aurora' and a.group_id = 'shops' and a.transaction_id = any(${ids}::text[])
    group by a.transaction_id, a.code`);
  const byOrder = saved.map(({ id, code, minor }) => ({ order: id.replace(/^\w+:/, ''), code, minor }));
  const inOrder = (rows: { order: string; code: string; minor: string }[]): string[] =>
    rows
      .filter(({ minor }) => minor !== '0')
      .map(({ order, code, minor }) => `${order} ${code} ${minor}`)
      .toSorted();
  const fates = (): string =>
    JSON.stringify(orders, (_name, value) => (typeof value === 'bigint' ? String(value) : value), 1);
  expect(inOrder(byOrder), fates()).toEqual(inOrder(expected));
  for (const order of orders)
    for (const [code, minor] of creditsOf(order)) {
      const name = `${code} ${order.currency}`;
      owed.set(name, (owed.get(name) ?? 0n) + minor);
    }
  await settle();
  const balances = await query(sql<{ name: string; minor: string }>`
    select m.code || ' ' || b.currency as name, sum(b.balance_minor)::text as minor
    from member_balance b
    join (select distinct membership_id, code from attribution where publisher_id = 'aurora' and group_id = 'shops') m
      on m.membership_id = b.membership_id
    where b.publisher_id = 'aurora'
    group by 1`);
  const books = [...owed].filter(([, minor]) => minor !== 0n).map(([name, minor]) => `${name} ${minor}`);
  const ledger = balances.filter(({ minor }) => minor !== '0').map(({ name, minor }) => `${name} ${minor}`);
  expect(ledger.toSorted()).toEqual(books.toSorted());
}
