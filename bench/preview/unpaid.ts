import { serviceActor } from '../../packages/server/src/audit/actor.ts';
import { composeOperations } from '../../packages/server/src/composition.ts';
import { systemClock } from '../../packages/server/src/platform/clock.ts';
import type { Database } from '../../packages/server/src/platform/database/database.ts';
import { applyProgramFile } from '../../packages/server/src/program-file/apply-program.ts';
import { readProgramFile } from '../../packages/server/src/program-file/read-program.ts';
import { readPaidRows } from '../../packages/server/src/settlement/claw-back/read-paid-rows.ts';
import { holdPurchase } from '../../packages/server/src/settlement/holds/hold-purchase.ts';
import { createPayout } from '../../packages/server/src/settlement/payouts/create/create-payout.ts';
import { type BenchService, memberCount } from '../lib/bench-service.ts';
import { addAndPost } from '../lib/rows.ts';

export const publisherId = 'bench';
export const groupId = 'main';
export const creators = 2_000;
export const holdDays = 10;
const currencies = ['USD', 'EUR', 'GBP'];
/** Number of days over which the unpaid purchases that are past the hold period are spread. */
const unpaidDays = 60;
/** Number of days before them whose purchases are paid. */
const paidDays = 2;
const clawbackCount = 100;
/** Maximum number of unpaid purchases to refund or hold. Each takes several milliseconds. */
const maxChanged = 2_000;

const operations = composeOperations(systemClock);

/** Adds creators to the group of a bench service, and sets its hold period. */
export async function makeCreators({ db }: Database): Promise<void> {
  const members = Array.from({ length: creators - memberCount }, (_, index) => ({
    id: `acc_${memberCount + index}`,
    playerId: `p-${memberCount + index}`,
    codes: [{ code: `CODE${memberCount + index}`, primary: true }],
  }));
  const program = { publisher: { id: publisherId }, groups: [{ id: groupId, holdDays, members }] };
  await applyProgramFile(db, serviceActor, readProgramFile(JSON.stringify(program), 'preview.json'));
}

/**
 * Stores purchases, oldest first, for the service to post. Pays those of the first days and claws some back, refunds 1%
 * of the others, half of them in part, and holds 0.1%.
 * @returns the number of changed purchases
 */
export async function makeUnpaid({ client }: BenchService, { db }: Database, rows: number): Promise<number> {
  const firstDay = unpaidDays + holdDays;
  const perDay = rows / unpaidDays;
  await add(client, perDay * paidDays, { from: firstDay + paidDays, to: firstDay });
  await payAll(db);
  const paid = await draw(client, clawbackCount, { from: firstDay + paidDays, to: firstDay });
  for (const transactionId of paid) await clawBack(db, transactionId);
  await add(client, rows + perDay * holdDays, { from: firstDay, to: 0 });
  const unpaid = await draw(client, Math.min(maxChanged, Math.ceil(rows / 200)), { from: firstDay, to: 0 });
  for (const [index, transactionId] of unpaid.entries())
    await (index % 10 === 0 ? hold(db, transactionId) : refund(db, transactionId, index % 2 === 0));
  return paid.length + unpaid.length;
}

interface Days {
  from: number;
  to: number;
}

const add = (client: BenchService['client'], count: number, { from, to }: Days): Promise<void> =>
  addAndPost(client, { publisherId, groupId, currencies, count, fromDaysAgo: from, toDaysAgo: to });

async function payAll(db: Database['db']): Promise<void> {
  const request = { publisherId, groupId, currency: null, asOf: null };
  const { payouts } = await createPayout(db, serviceActor, request);
  if (payouts.length !== currencies.length) throw new Error('the first days were not paid');
  for (const { batchId } of payouts)
    await operations.markPayoutPaid(db, serviceActor, { publisherId, payoutId: batchId });
}

/** Draws purchases spread over the days. */
async function draw(client: BenchService['client'], count: number, { from, to }: Days): Promise<string[]> {
  const { rows } = await client.query<{ transaction_id: string }>(
    `select transaction_id
     from (
       select transaction_id
       from attribution
       where publisher_id = $1 and group_id = $2 and not is_test
         and transaction_date >= now() - $4::float8 * interval '1 day' and transaction_date < now() - $5::float8 * interval '1 day'
       order by md5(transaction_id)
     ) shuffled
     limit $3`,
    [publisherId, groupId, count, from, to],
  );
  return rows.map((row) => row.transaction_id);
}

async function clawBack(db: Database['db'], transactionId: string): Promise<void> {
  const { rows } = await readPaidRows(db, publisherId, transactionId);
  await operations.clawBackPurchase(db, serviceActor, {
    publisherId,
    transactionId,
    rows: null,
    amounts: [],
    status: 'Refund',
    reason: null,
    totalMinor: rows.reduce((sum, { shareMinor }) => sum + shareMinor, 0n),
  });
}

const refund = (db: Database['db'], transactionId: string, isWhole: boolean) =>
  operations.refundPurchase(db, serviceActor, {
    publisherId,
    transactionId,
    refundId: `re_${transactionId}`,
    reversal: 'Refund',
    occurredAt: null,
    amountMinor: isWhole ? null : 50n,
    rows: null,
  });

const hold = (db: Database['db'], transactionId: string) =>
  holdPurchase(db, serviceActor, {
    publisherId,
    transactionId,
    reason: 'Dispute',
    endsAt: null,
    rows: null,
  });
