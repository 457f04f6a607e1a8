import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import { pinLookUps } from '../../pin-plans.ts';

/**
 * Reads one page in key order. The planner's statistics don't tell how many rows a publisher or payout has, so without
 * pinned plans, each page might sort all of them.
 */
export const readByKey = <Row>(db: Db, page: RawBuilder<Row>): Promise<Row[]> =>
  db
    .transaction()
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql`select ${pinLookUps}, set_config('enable_bitmapscan', 'off', true)`.execute(tx);
      return (await page.execute(tx)).rows;
    });
