import { setTimeout as sleep } from 'node:timers/promises';
import { type Actor, serviceActor } from '../../audit/actor.ts';
import { completeBounties } from '../../bounties/complete/complete-bounties.ts';
import type { Service } from '../../composition.ts';
import type { EndpointId } from '../../platform/database/tables.generated.ts';
import type { App } from '../../platform/http/app-type.ts';
import { unavailable } from '../../platform/refusal.ts';
import { type CreatedPayout, createPayout } from '../../settlement/payouts/create/create-payout.ts';
import { pagesOfItems } from '../../settlement/payouts/read/list-payout-items.ts';
import { isAllPosted } from '../../settlement/post/is-all-posted.ts';
import { createEndpoint } from '../../webhooks/endpoints/create-endpoint.ts';
import { eventKinds } from '../../webhooks/event-kinds.ts';
import { enterDemoMethods } from './demo-methods.ts';
import { type DemoPurchase, type DemoPurchases, demoPurchases } from './demo-purchases.ts';

const path = '/v1/attributions/transactions';
const rowsPerRequest = 500;
/** Maximum number of attempts, because requests can time out on slow machines. */
const maxAttempts = 20;
const retryPauseMs = 1_000;
const dayMs = 86_400_000;
/** Purchases at least this many days old are paid; newer purchases are due or on hold. */
const paidDays = 58;
/** URL in a reserved top-level domain, so that deliveries fail at the DNS lookup without sending anything. */
const deadAddress = 'https://game.aurora.example/creator-events';

/** Publisher with the demo's program but no purchases. */
export interface DemoPlace {
  publisherId: string;
  /** Publisher's secret key. */
  key: string;
  /** Actor who adds the endpoint. */
  actor: Actor;
}

/** Number of steps that `playMonths` reports. */
export const monthsSteps = 4;

/**
 * Creates months of history for a publisher with the service's own operations: purchases and bounties; payout methods; a
 * paid, a created and a due payout; a returned payment; refunds and a chargeback of a paid purchase; rejected
 * requests; and an unreachable endpoint.
 * @param onStep called after each step
 * @returns id of the endpoint
 */
export async function playMonths(
  app: App,
  service: Service,
  { publisherId, key, actor }: DemoPlace,
  onStep: () => Promise<void> = async () => undefined,
): Promise<EndpointId> {
  const now = service.clock.now();
  const sending = { app, key };
  const endpointId = await addDeadEndpoint(service, actor, publisherId);
  const purchases = demoPurchases(now);
  const paidBefore = new Date(now.getTime() - paidDays * dayMs).toISOString();
  const isOld = ({ transactionDate }: DemoPurchase): boolean => transactionDate < paidBefore;
  await record(sending, purchases, isOld);
  await postAll(service, publisherId, now);
  await onStep();
  await enterDemoMethods(service, publisherId, async (group, code) => {
    const { id } = await send(sending, 'GET', `/v1/manage/members/${code}?groupId=${group}`);
    return id;
  });
  const paid = await pay(service, { publisherId, groupId: 'main' }, true);
  const dollars = paid.find(({ currency }) => currency === 'USD');
  if (dollars !== undefined) await returnOne(service, publisherId, dollars);
  await pay(service, { publisherId, groupId: 'moba' }, false);
  await onStep();
  await record(sending, purchases, (purchase) => !isOld(purchase));
  await sendStreamHours(sending, now);
  await postAll(service, publisherId, now);
  await onStep();
  await reverse(
    sending,
    purchases.main.filter((purchase) => !isOld(purchase)),
  );
  await clawBackOne(sending, service, publisherId);
  await sendMistakes(sending, now);
  await onStep();
  return endpointId;
}

interface Sending {
  app: App;
  key: string;
}

async function send({ app, key }: Sending, method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) {
  const headers = { 'x-shared-secret': key };
  for (let attempt = 1; ; attempt += 1) {
    const { statusCode, body } = await app.inject({
      method,
      url,
      headers,
      ...(payload !== undefined && { payload }),
    });
    if (statusCode === 200) return JSON.parse(body);
    // A purchase that wasn't confirmed in time may still have been recorded.
    if (statusCode === 409 && attempt > 1) return null;
    if (statusCode !== 503) throw new Error(`a demo request was rejected (${method} ${url}): ${body}`);
    if (attempt === maxAttempts)
      throw unavailable('The service is too busy for the demo data. Try again in a few minutes.');
    await sleep(retryPauseMs);
  }
}

/** Records purchases in bulk. A split's rows are adjacent, so one request contains them all. */
async function record(
  sending: Sending,
  purchases: DemoPurchases,
  isWanted: (purchase: DemoPurchase) => boolean,
): Promise<void> {
  for (const [group, all] of Object.entries(purchases)) {
    const wanted = all.filter(isWanted);
    for (let start = 0; start < wanted.length; start += rowsPerRequest)
      await send(sending, 'POST', `${path}?groupId=${group}`, wanted.slice(start, start + rowsPerRequest));
  }
}

/** Posts all rows and completes bounties, as workers would later do, or waits for workers that are already doing it. */
async function postAll(
  { database: { background: db }, operations }: Service,
  publisherId: string,
  now: Date,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    while ((await operations.postRows(db, publisherId)) > 0);
    if (await isAllPosted(db, publisherId)) break;
    if (attempt === maxAttempts)
      throw unavailable('The service is too busy for the demo data. Try again in a few minutes.');
    await sleep(retryPauseMs);
  }
  while ((await completeBounties(db, publisherId, now)).checked > 0);
}

async function pay(
  { database: { background: db }, operations }: Service,
  { publisherId, groupId }: { publisherId: string; groupId: string },
  isPaid: boolean,
): Promise<readonly CreatedPayout[]> {
  const request = { publisherId, groupId, currency: null, asOf: null };
  const { payouts } = await createPayout(db, serviceActor, request);
  if (isPaid)
    for (const { batchId } of payouts)
      await operations.markPayoutPaid(db, serviceActor, { publisherId, payoutId: batchId });
  return payouts;
}

/** Lets the bank return the smallest payment of a paid payout, so that its amount is due again. */
async function returnOne(
  { database: { background: db }, operations }: Service,
  publisherId: string,
  { batchId }: CreatedPayout,
): Promise<void> {
  const items = [];
  for await (const page of pagesOfItems(db, publisherId, batchId)) items.push(...page);
  const [smallest] = items.toSorted((one, other) => Number(one.amountMinor - other.amountMinor));
  if (smallest === undefined) return;
  const note = 'The bank returned it: the account is closed.';
  await operations.setResults(db, serviceActor, {
    publisherId,
    payoutId: batchId,
    results: [{ line: 1, reference: smallest.reference, result: 'Returned', note, problem: null }],
    isDryRun: false,
  });
}

async function addDeadEndpoint(
  { database: { background: db }, sealer }: Service,
  actor: Actor,
  publisherId: string,
): Promise<EndpointId> {
  const { endpointId } = await createEndpoint({ db, sealer, allowPrivateTargets: false }, actor, {
    publisherId,
    url: deadAddress,
    // Omits the event that is sent for each purchase, which would be too frequent.
    eventKinds: eventKinds.filter((kind) => kind !== 'Attribution/TransactionRecorded'),
  });
  return endpointId;
}

async function sendStreamHours(sending: Sending, now: Date): Promise<void> {
  for (const [code, hours] of [
    ['EMBER', 7],
    ['JUNO', 4],
    ['LUMEN', 1],
  ] as const)
    for (let hour = 1; hour <= hours; hour += 1)
      await send(sending, 'POST', '/v1/events?groupId=main', {
        eventId: `stream-${code}-${hour}`,
        eventCode: 'stream-hour',
        code,
        playerId: `viewer-${hour}`,
        occurredAt: new Date(now.getTime() - hour * 3_600_000).toISOString(),
      });
}

/** Reverses a realistic fraction of the unpaid purchases, as refunds, fraud and chargebacks. */
async function reverse(sending: Sending, recent: readonly DemoPurchase[]): Promise<void> {
  const chosen = recent.filter((_purchase, index) => index % 45 === 44);
  const patches = chosen.map(({ transactionId }, index) => ({
    transactionId,
    action: index % 8 === 3 ? 'Chargeback' : index % 8 === 6 ? 'Fraud' : 'Refund',
  }));
  for (const { transactionId, action } of [{ transactionId: 'demo-order-4', action: 'Refund' }, ...patches])
    await send(sending, 'PATCH', `${path}/${transactionId}`, { action });
}

async function clawBackOne(
  sending: Sending,
  { database: { background: db }, operations }: Service,
  publisherId: string,
): Promise<void> {
  const [{ transaction }] = await send(sending, 'GET', `${path}/demo-order-7`);
  await operations.clawBack(db, serviceActor, {
    publisherId,
    row: transaction.id,
    status: 'Chargeback',
    reason: 'The bank took the money back after the payout.',
  });
}

/** Sends two requests that are rejected for typical mistakes: a mistyped code and an unknown currency. */
async function sendMistakes({ app, key }: Sending, now: Date): Promise<void> {
  for (const [number, mistake] of [{ code: 'EMBRE' }, { currency: 'US' }].entries())
    await app.inject({
      method: 'POST',
      url: `${path}?groupId=main`,
      headers: { 'x-shared-secret': key },
      payload: {
        transactionId: `demo-refused-${number + 1}`,
        code: 'EMBER',
        description: 'Battle pass',
        subtotal: 999,
        currency: 'USD',
        transactionDate: now.toISOString(),
        ...mistake,
      },
    });
}
