import { type RawBuilder, sql } from 'kysely';
import { expect } from 'vitest';
import { setStatus } from '../src/attributions/update-transactions.ts';
import { systemClock } from '../src/platform/clock.ts';
import type { Db } from '../src/platform/database/database.ts';
import { clawBack } from '../src/settlement/claw-back.ts';
import { type CreatedPayout, createPayout, previewPayout } from '../src/settlement/create-payout.ts';
import { cancelPayout, markPayoutPaid } from '../src/settlement/finish-payout.ts';
import type { Reversal } from '../src/settlement/reverse-payment.ts';
import { publishersToSettle, settleRows } from '../src/settlement/settle-rows.ts';
import { verifyLedger } from '../src/settlement/verify-ledger.ts';
import { type Management, useManagement } from './management.ts';
import { asAdmin } from './test-database.ts';
import type { ServiceOptions } from './test-service.ts';

/** What a row's record shows of its money. */
export interface Shown {
  status: string;
  memberShareAmount?: number;
  memberSharePercent?: number;
  memberPaid: boolean;
}

/** Recording, settling and paying on a service with the fixtures; payouts are of aurora's group main. */
export interface Money extends Management {
  db(): Db;
  /** Settles until nothing waits. @returns how many rows */
  settle(): Promise<number>;
  /** What the rows of a purchase show, in get and, the same, in list. */
  shown(transactionId: string): Promise<Shown[]>;
  query<Row>(query: RawBuilder<Row>): Promise<Row[]>;
  /** One number, as a bigint. */
  number(query: RawBuilder<{ n: string | bigint | number }>): Promise<bigint>;
  /** The balance of a code's member of the group main. */
  balance(code: string, currency?: string): Promise<bigint>;
  preview(asOf?: Date | null): ReturnType<typeof previewPayout>;
  create(asOf?: Date | null): Promise<CreatedPayout[]>;
  markPaid(batchId: string): Promise<void>;
  cancel(batchId: string): Promise<void>;
  clawBack(rowId: string, status: Reversal): Promise<void>;
  /** Fails the test when a balance is not explained. */
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
    async shown(transactionId) {
      const { body } = await management.get(transactionId);
      const rows: Record<string, unknown>[] = body.map((each: { transaction: object }) => each.transaction);
      const listed = (await management.list('pageSize=1000&sort=transactionDate:desc')).body;
      for (const row of rows) expect(listed).toContainEqual({ transaction: row });
      return rows.map((row) =>
        Object.fromEntries(
          ['status', 'memberShareAmount', 'memberSharePercent', 'memberPaid'].flatMap((name) =>
            name in row ? [[name, row[name]]] : [],
          ),
        ),
      ) as unknown as Shown[];
    },
    balance: (code, currency = 'USD') =>
      number(sql`
        select b.balance_minor as n
        from member_balance b
        where b.publisher_id = 'aurora' and b.currency = ${currency} and b.membership_id = (
          select membership_id from attribution where publisher_id = 'aurora' and group_id = 'main' and code = ${code} limit 1)`),
    preview: (asOf = null) => previewPayout(db(), 'aurora', 'main', null, asOf),
    create: (asOf = null) => createPayout(db(), 'aurora', 'main', null, asOf),
    markPaid: (batchId) => markPayoutPaid(db(), 'aurora', batchId, systemClock.now()),
    cancel: (batchId) => cancelPayout(db(), 'aurora', batchId, systemClock.now()),
    clawBack: (rowId, status) => clawBack(db(), setStatus, 'aurora', rowId, status),
    async expectSound() {
      expect(await verifyLedger(db())).toMatchObject({ isSound: true });
    },
  };
}

/** Settles every publisher's rows until nothing waits. @returns how many rows */
export async function settleAll(db: Db): Promise<number> {
  for (let total = 0; ; ) {
    let settled = 0;
    for (const publisherId of await publishersToSettle(db)) settled += await settleRows(db, publisherId);
    if (settled === 0) return total;
    total += settled;
  }
}

/** Ends the connections of a database that wait for a lock, as a crash of their process would. */
export const killWaiting = (database: string): Promise<void> =>
  asAdmin(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}' and wait_event_type = 'Lock'`,
  );
