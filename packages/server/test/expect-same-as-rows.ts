import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Db } from '../src/platform/database/database.ts';
import type { Tx } from '../src/platform/database/in-transaction.ts';
import { type PlannedPayable, readPayable } from '../src/settlement/payouts/create/payable.ts';
import type { PayoutScope } from '../src/settlement/payouts/create/payout-scope.ts';
import { readSumsUntil } from '../src/settlement/payouts/create/sums-of-days.ts';
import { pinPlans } from '../src/settlement/pin-plans.ts';

/**
 * Expects that the amounts due at a cutoff are the same whether they are read from sums of days or row by row. Both are
 * read from one snapshot.
 * @returns the amounts
 */
export const expectSameAsRows = (
  db: Db,
  scope: PayoutScope,
  currency: string | null = null,
): Promise<PlannedPayable[]> => inSnapshot(db, (tx) => compare(tx, scope, currency));

/**
 * Expects the same as `expectSameAsRows`, and that reading one member at a time gives the same amounts.
 * @returns the amounts
 */
export const expectSameForMembers = (db: Db, scope: PayoutScope): Promise<PlannedPayable[]> =>
  inSnapshot(db, async (tx) => {
    const all = await compare(tx, scope, null);
    for (const payables of Map.groupBy(all, ({ membershipId }) => membershipId).values()) {
      const membershipIds = [...new Set(payables.flatMap((each) => each.membershipIds))];
      const sumsUntil = await readSumsUntil(tx, scope);
      const ofMember = await readPayable(tx, scope, { currency: null, membershipIds, sumsUntil });
      expect(ofMember.map(sorted)).toEqual(payables.map(sorted));
    }
    return all;
  });

const inSnapshot = <Result>(db: Db, read: (tx: Tx) => Promise<Result>): Promise<Result> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql`select ${pinPlans}`.execute(tx);
      return read(tx);
    });

async function compare(tx: Tx, scope: PayoutScope, currency: string | null): Promise<PlannedPayable[]> {
  const until = await readSumsUntil(tx, scope);
  expect(until).not.toBeNull();
  const fromSums = await readPayable(tx, scope, { currency, sumsUntil: until });
  const fromRows = await readPayable(tx, scope, { currency });
  expect(fromSums.map(sorted)).toEqual(fromRows.map(sorted));
  return fromSums;
}

/** Sorts the ids, whose order doesn't matter. */
const sorted = (payable: PlannedPayable): PlannedPayable => ({
  ...payable,
  membershipIds: payable.membershipIds.toSorted(),
  recordingIds: payable.recordingIds.toSorted(),
  rowHoldIds: payable.rowHoldIds.toSorted(),
});
