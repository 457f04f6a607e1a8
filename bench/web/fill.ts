import { setTimeout as sleep } from 'node:timers/promises';
import { serviceActor } from '../../packages/server/src/audit/actor.ts';
import { composeOperations } from '../../packages/server/src/composition.ts';
import { systemClock } from '../../packages/server/src/platform/clock.ts';
import type { Database } from '../../packages/server/src/platform/database/database.ts';
import { applyProgramFile } from '../../packages/server/src/program-file/apply-program.ts';
import { readProgramFile } from '../../packages/server/src/program-file/read-program.ts';
import { createPayout } from '../../packages/server/src/settlement/payouts/create/create-payout.ts';
import type { BenchService } from '../lib/bench-service.ts';
import { addRows, countUnposted, waitUntilPosted } from '../lib/rows.ts';
import { logProgress } from './progress.ts';

export const publisherId = 'bench';
/** Number of days before now over which the purchases are spread. */
export const daysFilled = 92;
/**
 * Number of days at the start of that range whose purchases are paid, as if the publisher paid every month.
 */
export const paidDays = 30;
/** Number of creators in the group `wide`. */
export const wideMembers = 10_000;
const dayMs = 86_400_000;

/** Fraction of purchases in each group. */
const parts = [
  { groupId: 'main', of: 0.6 },
  { groupId: 'wide', of: 0.3 },
  { groupId: 'second', of: 0.05 },
  { groupId: 'third', of: 0.05 },
];

/**
 * Adds more groups (one of them with ten thousand members), schedules, a bounty and applicants. The group
 * `main` with its thousand members already exists.
 */
export async function makeProgram({ client }: BenchService, { db }: Database): Promise<void> {
  const now = Date.now();
  const at = (days: number): string => new Date(now + days * dayMs).toISOString();
  const creators = (count: number, prefix: string, more: object = {}) =>
    Array.from({ length: count }, (_, n) => ({ id: `${prefix}_${n}`, name: nameOf(prefix, n), ...more }));
  const program = {
    publisher: { id: publisherId },
    groups: [
      {
        id: 'main',
        holdDays: 30,
        payoutMinimums: { USD: 5_000 },
        members: creators(300, 'pen', { status: 'Pending' }),
      },
      {
        id: 'second',
        revShare: 15,
        bounties: [
          {
            id: 'hundred',
            name: 'A hundred purchases',
            startsAt: at(-2),
            objectives: [{ id: 'hundred-sold', name: 'Purchases', type: 'Purchase', count: 100 }],
            rewards: [
              { id: 'hundred-bonus', name: 'Bonus', type: 'Payment', amount: 1_000, currency: 'USD' },
            ],
          },
        ],
        members: creators(100, 'acc'),
      },
      {
        id: 'third',
        revShare: 15,
        tiers: [{ name: 'Founder', revShare: 18 }],
        schedules: [
          { startDate: at(-1 / 24), endDate: at(3), revShare: 20 },
          { startDate: at(10), endDate: at(12), revShare: 30, tiers: [{ tier: 'Founder', revShare: 40 }] },
        ],
        members: creators(100, 'acc'),
      },
      { id: 'wide', revShare: 10 },
    ],
  };
  await applyProgramFile(db, serviceActor, readProgramFile(JSON.stringify(program), 'web.json'));
  await addWideMembers(client);
}

/** Adds the members of `wide` with one statement, because applying a program file would take a minute. */
async function addWideMembers(client: BenchService['client']): Promise<void> {
  await client.query(
    `with made as (
       insert into creator_account (account_id, name, owner_publisher_id)
       select 'wid_' || n, ($3::text[])[1 + n % cardinality($3::text[])] || ' wid ' || n, $1
       from generate_series(0, $2::int - 1) n
       returning account_id
     ), coded as (
       insert into global_code (code_folded, code, account_id, is_primary)
       select 'wide' || n, 'WIDE' || n, 'wid_' || n, true
       from generate_series(0, $2::int - 1) n
     )
     insert into membership (publisher_id, membership_id, group_id, account_id, status)
     select $1, gen_random_uuid(), 'wide', account_id, 'Approved' from made`,
    [publisherId, wideMembers, firstNames],
  );
}

const firstNames = [
  'Ada',
  'Bela',
  'Cleo',
  'Dara',
  'Eli',
  'Faye',
  'Gus',
  'Hana',
  'Ivo',
  'Juno',
  'Kai',
  'Lumi',
];

const nameOf = (prefix: string, n: number): string => `${firstNames[n % firstNames.length]} ${prefix} ${n}`;

const largestStep = 102_400;
/** Number of unposted rows above which filling pauses, as real clients would. */
const maxUnposted = 400_000;
/** Rows per recording commit. The number of rows in a step is a multiple of this number. */
const together = 32;

/** Stores purchases, oldest first, for the service to post as usual, and pays the first month's purchases along the way. */
export async function fill({ client }: BenchService, { db }: Database, rows: number): Promise<void> {
  const daysAgo = (row: number): number => daysFilled * (1 - Math.min(row / rows, 1));
  const paidAt = (rows * paidDays) / daysFilled;
  // With few rows, each step covers a day, so that the first month can be paid before later purchases exist.
  const step = Math.min(largestStep, Math.ceil(rows / daysFilled));
  let isPaid = false;
  for (let from = 0; from < rows; from += step) {
    const count = Math.min(step, rows - from);
    for (const { groupId, of } of parts)
      await addRows(client, {
        publisherId,
        groupId,
        count: Math.ceil((count * of) / together) * together,
        fromDaysAgo: daysAgo(from),
        toDaysAgo: daysAgo(from + count),
      });
    // Autovacuum would analyze a grown table within a minute.
    if (from === 0) await client.query('analyze');
    while ((await countUnposted(client)) > maxUnposted) await sleep(100);
    if (!isPaid && from + count >= paidAt) {
      isPaid = true;
      await waitUntilPosted(client);
      await pay(db, ['main', 'wide', 'second']);
    }
    if ((from / step) % 10 === 9) logProgress(`${from + count} purchases stored`);
  }
  await waitUntilPosted(client);
  const { payouts: made } = await createPayout(db, serviceActor, {
    publisherId,
    groupId: 'third',
    currency: null,
    asOf: null,
  });
  logProgress(
    `created but not paid: ${made.map(({ batchId }) => batchId).join(', ') || 'nothing is due yet'}`,
  );
}

async function pay(db: Database['db'], groupIds: readonly string[]): Promise<void> {
  const operations = composeOperations(systemClock);
  for (const groupId of groupIds) {
    const request = { publisherId, groupId, currency: null, asOf: null };
    const { payouts: made } = await createPayout(db, serviceActor, request);
    for (const { batchId } of made)
      await operations.markPayoutPaid(db, serviceActor, { publisherId, payoutId: batchId });
    logProgress(`paid what was due in ${groupId}: ${made.length} payout(s)`);
  }
}
