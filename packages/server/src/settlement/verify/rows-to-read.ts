import type { Check } from './checks/check.ts';

import { type Payout, type Payouts, readPayouts } from './checks/check-payouts.ts';
import { type Day, type Days, readDays } from './checks/read-days.ts';

/**
 * @returns how many rows a check will read, for whoever waits: about, because more move meanwhile. Rows are read once
 *   each with their member's day, their hour, their id and their posting.
 */
export async function rowsToRead(check: Check): Promise<number> {
  let ofDays = 0;
  let recorded = 0;
  for (let after: Day | null = null; ; ) {
    const { days, next }: Days = await readDays(check, after);
    for (const { rows, hasMoved } of days) {
      recorded += rows;
      if (hasMoved) ofDays += 2 * rows;
    }
    if (next === null) break;
    after = next;
  }
  let ofPayouts = 0;
  for (let after: Payout | null = null; ; ) {
    const { payouts, next }: Payouts = await readPayouts(check, after);
    for (const { rows, hasMoved } of payouts) if (hasMoved) ofPayouts += rows;
    if (next === null) break;
    after = next;
  }
  return ofDays + ofPayouts + (check.rowsBefore === null ? 2 * recorded : 0);
}
