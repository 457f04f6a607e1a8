import { setTimeout as sleep } from 'node:timers/promises';
import { type Actor, actorOf, serviceActor } from '../../../audit/actor.ts';
import { completeBounties } from '../../../bounties/complete/complete-bounties.ts';
import type { Service } from '../../../composition.ts';
import { inTransaction } from '../../../platform/database/in-transaction.ts';
import type { App } from '../../../platform/http/app-type.ts';
import { applyProgramFile } from '../../../program-file/apply-program.ts';
import { changingProgram } from '../../../publishers/changing-program.ts';
import { putGroup } from '../../../publishers/put-group.ts';
import { createPayout } from '../../../settlement/payouts/create/create-payout.ts';
import { createEndpoint } from '../../../webhooks/endpoints/create-endpoint.ts';
import { eventKinds } from '../../../webhooks/event-kinds.ts';
import { userName } from '../../command.ts';
import { applierOf } from '../../provision.ts';
import { readMoreOfProgram } from './demo-program.ts';
import { type DemoPurchase, type DemoPurchases, demoPurchases } from './demo-purchases.ts';

const publisherId = 'aurora';
const path = '/v1/attributions/transactions';
const rowsPerRequest = 500;
/** Maximum number of attempts, because requests can time out on slow machines. */
const maxAttempts = 20;
const retryPauseMs = 1_000;
const dayMs = 86_400_000;
/** Purchases at least this many days old are paid; newer purchases are due or on hold. */
const paidDays = 58;
/** URL in a reserved top-level domain, so that deliveries fail after the DNS lookup and send nothing. */
const deadAddress = 'https://game.aurora.example/creator-events';

/**
 * Creates months of a publisher's history with the service's own operations: creators, purchases and bounties; a
 * paid, a created and a due payout; refunds and a chargeback of a paid purchase; an unreachable endpoint; and a
 * setting that differs from the program file.
 */
export async function playMonths(app: App, service: Service, key: string): Promise<void> {
  const { db } = service.database;
  const now = service.clock.now();
  const sending = { app, key };
  await applyProgramFile(db, applierOf('the demo', 'serve'), readMoreOfProgram(now));
  await addDeadEndpoint(service);
  const purchases = demoPurchases(now);
  const paidBefore = new Date(now.getTime() - paidDays * dayMs).toISOString();
  const isOld = ({ transactionDate }: DemoPurchase): boolean => transactionDate < paidBefore;
  await record(sending, purchases, isOld);
  await postAll(service, now);
  await pay(service, 'main', true);
  await pay(service, 'moba', false);
  await record(sending, purchases, (purchase) => !isOld(purchase));
  await sendStreamHours(sending, now);
  await postAll(service, now);
  await reverse(
    sending,
    purchases.main.filter((purchase) => !isOld(purchase)),
  );
  await clawBackOne(sending, service);
  await changeOneSetting(service);
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
    // A purchase that was not confirmed in time may still have been recorded.
    if (statusCode === 409 && attempt > 1) return null;
    if (statusCode !== 503 || attempt === maxAttempts)
      throw new Error(`a demo request was rejected (${method} ${url}): ${body}`);
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

/** Posts all rows and completes bounties, as the workers would later. */
async function postAll({ database: { db }, operations }: Service, now: Date): Promise<void> {
  while ((await operations.postRows(db, publisherId)) > 0);
  while ((await completeBounties(db, publisherId, now)).checked > 0);
}

async function pay(
  { database: { db }, operations }: Service,
  groupId: string,
  isPaid: boolean,
): Promise<void> {
  const made = await createPayout(db, serviceActor, { publisherId, groupId, currency: null, asOf: null });
  if (!isPaid) return;
  for (const { batchId } of made)
    await operations.markPayoutPaid(db, serviceActor, { publisherId, payoutId: batchId });
}

async function addDeadEndpoint({ database: { db }, sealer }: Service): Promise<void> {
  await createEndpoint({ db, sealer, allowPrivateTargets: false }, applierOf('the demo', 'serve'), {
    publisherId,
    url: deadAddress,
    // Omits the per-purchase event, which would be too frequent.
    eventKinds: eventKinds.filter((kind) => kind !== 'Attribution/TransactionRecorded'),
  });
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

async function clawBackOne(sending: Sending, { database: { db }, operations }: Service): Promise<void> {
  const [{ transaction }] = await send(sending, 'GET', `${path}/demo-order-7`);
  await operations.clawBack(db, serviceActor, {
    publisherId,
    row: transaction.id,
    status: 'Chargeback',
    reason: 'The bank took the money back after the payout.',
  });
}

async function changeOneSetting({ database: { db } }: Service): Promise<void> {
  const actor: Actor = actorOf({ kind: 'command', user: userName() }, { command: 'serve' });
  await inTransaction(db, (tx) =>
    changingProgram(tx, publisherId, (tx) => putGroup(tx, actor, { publisherId, id: 'moba', revShare: 9 })),
  );
}
