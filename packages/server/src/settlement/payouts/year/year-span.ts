import type { Db } from '../../../platform/database/database.ts';
import { readMoment } from '../../../platform/database/moment.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { laterBy, readAheadMs } from '../../../publishers/publisher-time.ts';

/** Calendar year (UTC) to report. */
export interface YearSpan {
  publisherId: string;
  /** Such as `2026`. */
  year: string;
  /** Start and (exclusive) end of the year on the publisher's clock, which payments and returns use. */
  from: Date;
  until: Date;
  /** False while further payments can be added to the year. */
  isOver: boolean;
}

/** @throws Refusal InvalidInput for a year that has not begun */
export async function readYearSpan(db: Db, publisherId: string, year: string): Promise<YearSpan> {
  const from = new Date(Date.UTC(Number(year), 0));
  const until = new Date(Date.UTC(Number(year) + 1, 0));
  const now = laterBy(await readMoment(db), await readAheadMs(db, publisherId));
  if (now < from)
    throw new Refusal(
      'InvalidInput',
      `The year ${year} (UTC) has not begun. Choose this year or an earlier one.`,
      {
        path: ['year'],
      },
    );
  return { publisherId, year, from, until, isOver: until <= now };
}
