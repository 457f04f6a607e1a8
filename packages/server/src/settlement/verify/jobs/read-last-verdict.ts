import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';

export interface LastVerdict {
  isSound: boolean;
  endedAt: Date;
}

/** Returns the latest verification that was sound or found a difference; null if there is none. */
export async function readLastVerdict(db: Db | Tx, publisherId: string): Promise<LastVerdict | null> {
  const { rows } = await sql<{ status: string; ended_at: Date }>`
    select status, ended_at
    from ledger_verification
    where publisher_id = ${publisherId} and status in ('Sound', 'NotExplained')
    order by ended_at desc
    limit 1`.execute(db);
  const [last] = rows;
  return last === undefined ? null : { isSound: last.status === 'Sound', endedAt: last.ended_at };
}
