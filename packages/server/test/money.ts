import { type RawBuilder, sql } from 'kysely';
import { expect } from 'vitest';
import { composeOperations } from '../src/composition.ts';
import { systemClock } from '../src/platform/clock.ts';
import type { Db } from '../src/platform/database/database.ts';
import { Pages } from '../src/platform/page.ts';
import { cancelPayout } from '../src/settlement/payouts/cancel-payout.ts';
import {
  type CreatedPayout,
  type CreatedPayouts,
  createPayout,
} from '../src/settlement/payouts/create/create-payout.ts';
import type { PayoutRequest } from '../src/settlement/payouts/create/plan-payout.ts';
import { type PayoutPreview, previewPayout } from '../src/settlement/payouts/create/preview-payout.ts';
import { listPayouts } from '../src/settlement/payouts/read/list-payouts.ts';
import type { PayoutBatch } from '../src/settlement/payouts/read/read-payouts.ts';
import { publishersToPost } from '../src/settlement/post/post-rows.ts';
import type { Reversal } from '../src/settlement/reverse-payment.ts';
import { verifyLedger } from '../src/settlement/verify/verify-ledger.ts';
import { until } from './attribution-process.ts';
import { purchase } from './fixtures.ts';
import { type Management, useManagement } from './management.ts';
import { testActor } from './test-actor.ts';
import type { ServiceOptions } from './test-service.ts';

export interface Shown {
  status: string;
  memberShareAmount?: number;
  memberSharePercent?: number;
  memberPaid: boolean;
}

export interface Earned {
  id: string;
  transactionId: string;
}

const longAgo = '2024-05-01T12:00:00.000Z';

/** Functions that record, post and pay for aurora on a service with the fixtures. */
export interface Money extends Management {
  db(): Db;
  /** Posts until no rows are left. @returns the number of rows */
  settle(): Promise<number>;
  /**
   * Returns the money fields of a purchase's rows. Getting the purchase and listing it must show the same
   * fields.
   */
  shown(transactionId: string, groupId?: string): Promise<Shown[]>;
  query<Row>(query: RawBuilder<Row>): Promise<Row[]>;
  number(query: RawBuilder<{ n: string | bigint | number }>): Promise<bigint>;
  /** Returns the balance of a code's member, or of A or B, in a group. */
  balance(code: string, currency?: string, groupId?: string): Promise<bigint>;
  /** Creates a group with a hold of 30 days and members A and B, whose codes are M-A and M-B. */
  makeGroup(groupId: string, settings?: string): Promise<void>;
  /** Records a purchase that earns `amount` and whose hold is long over. @returns its record */
  earn(
    groupId: string,
    member: 'A' | 'B',
    amount: number,
    changes?: Record<string, unknown>,
  ): Promise<Earned>;
  preview(groupId: string, asOf?: Date | null): Promise<PayoutPreview>;
  create(groupId: string, asOf?: Date | null, currency?: string | null): Promise<CreatedPayout[]>;
  /** Creates a payout as `create` does. @returns also the reductions since the preview */
  createOrLess(groupId: string, asOf: Date, changes?: Partial<PayoutRequest>): Promise<CreatedPayouts>;
  /** Returns a publisher's payouts, newest first. The default publisher is aurora. */
  payouts(publisherId?: string): Promise<PayoutBatch[]>;
  markPaid(batchId: string): Promise<void>;
  cancel(batchId: string): Promise<void>;
  clawBack(rowId: string, status: Reversal): Promise<void>;
  /** Fails the test if a balance doesn't match its ledger entries. */
  expectSound(): Promise<void>;
}

export function useMoney(options: ServiceOptions = {}): Money {
  const management = useManagement(options);
  const db = (): Db => management.service().testDatabase.database.db;
  const query = async <Row>(text: RawBuilder<Row>): Promise<Row[]> => (await text.execute(db())).rows;
  const number: Money['number'] = async (text) => BigInt((await query(text))[0]?.n ?? 0);
  return {
    ...management,
    db,
    query,
    number,
    settle: () => settleAll(db()),
    async shown(transactionId, groupId = 'main') {
      const { body } = await management.get(transactionId);
      const rows: Record<string, unknown>[] = body.map((each: { transaction: object }) => each.transaction);
      const listed = (await management.list(`pageSize=1000&groupId=${groupId}`)).body;
      for (const row of rows) expect(listed).toContainEqual({ transaction: row });
      return rows.map((row) =>
        Object.fromEntries(
          ['status', 'memberShareAmount', 'memberSharePercent', 'memberPaid'].flatMap((name) =>
            name in row ? [[name, row[name]]] : [],
          ),
        ),
      ) as unknown as Shown[];
    },
    balance: (code, currency = 'USD', groupId = 'main') =>
      number(sql`
        select b.balance_minor as n
        from member_balance b
        where b.publisher_id = 'aurora' and b.currency = ${currency} and b.membership_id = (
          select membership_id from attribution where publisher_id = 'aurora' and group_id = ${groupId} and code in (${code}, ${`M-${code}`}) limit 1)`),
    async makeGroup(groupId, settings = '') {
      const members = ['A', 'B'].map(
        (code) =>
          `{ id: acc_${groupId}_${code}, name: ${code}, playerId: p-${code}, codes: [ { code: M-${code}, group: ${groupId} } ] }`,
      );
      await management.provisionGroup(
        groupId,
        `revShare: 10, ${settings} members: [ ${members.join(', ')} ]`,
      );
    },
    async earn(groupId, member, amount, changes = {}) {
      const sent = {
        code: `M-${member}`,
        subtotal: amount,
        memberSharePercent: 100,
        transactionDate: longAgo,
        ...changes,
      };
      const { status, body } = await management.record(purchase(sent), { query: `?groupId=${groupId}` });
      expect(status).toBe(200);
      return body.transaction;
    },
    preview: (groupId, asOf = null) =>
      previewPayout(db(), { publisherId: 'aurora', groupId, currency: null, asOf }),
    create: async (groupId, asOf = null, currency = null) =>
      (await createPayout(db(), testActor, { publisherId: 'aurora', groupId, currency, asOf })).payouts,
    createOrLess: (groupId, asOf, changes = {}) =>
      createPayout(db(), testActor, { publisherId: 'aurora', groupId, currency: null, asOf, ...changes }),
    payouts: async (publisherId = 'aurora') =>
      (await listPayouts(db(), testPages, publisherId, { cursor: null, size: 1_000 })).rows,
    markPaid: (batchId) =>
      operations.markPayoutPaid(db(), testActor, { publisherId: 'aurora', payoutId: batchId }),
    cancel: (batchId) =>
      cancelPayout(db(), testActor, { publisherId: 'aurora', payoutId: batchId, reason: null }),
    async clawBack(rowId, status) {
      await operations.clawBack(db(), testActor, { publisherId: 'aurora', row: rowId, status, reason: null });
    },
    async expectSound() {
      expect(await verifyLedger(db())).toMatchObject({ isSound: true });
    },
  };
}

export const testPages = new Pages(Buffer.alloc(32));

/** Operations that involve several slices. */
export const operations = composeOperations(systemClock);

/** Posts one batch of a publisher's rows, as a worker does. */
export const settleSet = (db: Db, publisherId: string): Promise<number> =>
  operations.postRows(db, publisherId);

/** Posts every publisher's rows until none are left. @returns the number of rows */
export async function settleAll(db: Db): Promise<number> {
  for (let total = 0; ; ) {
    let settled = 0;
    for (const publisherId of await publishersToPost(db)) settled += await settleSet(db, publisherId);
    if (settled === 0) return total;
    total += settled;
  }
}

/**
 * Waits until a database connection is waiting for a lock, then terminates that connection as a crash of its
 * process would. The test holds the lock, so the crash happens in the middle of the tested work.
 */
export async function killWaiting(db: Db): Promise<void> {
  await until('a connection to wait for a lock', async () => {
    const { rows } = await sql`
      select pg_terminate_backend(pid)
      from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`.execute(
      db,
    );
    return rows.length > 0;
  });
}
