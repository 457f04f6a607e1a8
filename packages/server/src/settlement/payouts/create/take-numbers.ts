import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/in-transaction.ts';

/** First payout number, chosen so that a publisher's references have the same length for years. */
const firstNumber = 1_001;

/**
 * Takes the next numbers for a publisher's payouts. The row stays locked until the caller's commit, so payouts
 * that are started at the same time get different numbers. A payout that is undone uses up its number.
 * @returns the first of `count` consecutive numbers
 */
export async function takeNumbers(tx: Tx, publisherId: string, count: number): Promise<bigint> {
  const { rows } = await sql<{ last_number: bigint }>`
    insert into payout_number as n (publisher_id, last_number)
    values (${publisherId}, ${firstNumber - 1 + count})
    on conflict (publisher_id) do update set last_number = n.last_number + ${count}
    returning last_number`.execute(tx);
  const [taken] = rows;
  if (taken === undefined) throw new Error('a payout got no number');
  return taken.last_number - BigInt(count) + 1n;
}
