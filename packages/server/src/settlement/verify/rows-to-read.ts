import type { Check } from './checks/check.ts';

import { type Payout, type Payouts, readPayouts } from './checks/check-payouts.ts';
import { type Day, type Days, readDays } from './checks/read-days.ts';

/**
 * Estimates how many rows a check will read, to show progress. The number may change during the check. A row is read up
 * to four times: by member and day, by hour, by id and by posting.
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
