import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { addContributions } from './add-contributions.ts';
import { countedPurchases, saveFirstPurchases } from './counted-purchases.ts';

/**
 * Counts rows toward bounties in the commit that posts the rows. Rows that are already reversed don't count.
 * If the publisher has no bounty that counts purchases, the call costs one small query.
 * @param rows from clause with the attribution `a`
 */
export async function countRows(tx: Tx, publisherId: string, rows: RawBuilder<unknown>): Promise<void> {
  const { from, to, countsNewPlayers } = await readObjectives(tx, publisherId);
  if (countsNewPlayers) await saveFirstPurchases(tx, publisherId, rows);
  if (from === null) return;
  const condition = sql`
    a.transaction_date >= ${from} and a.transaction_date < coalesce(${to}::timestamptz, 'infinity')`;
  await addContributions(
    tx,
    publisherId,
    countedPurchases({ publisherId, rows, condition, countsNewPlayers }),
  );
}

interface CountedWindow {
  /** Earliest start of the bounties that count purchases; null if there are none. */
  from: Date | null;
  /** Latest end of these bounties (exclusive); null if any of these bounties has no end. */
  to: Date | null;
  countsNewPlayers: boolean;
}

async function readObjectives(tx: Tx, publisherId: string): Promise<CountedWindow> {
  const { rows } = await sql<{ from: Date | null; to: Date | null; looks_at_players: boolean | null }>`
    select min(b.starts_at) filter (where o.removed_at is null) as from,
           case when not bool_or(b.ends_at is null and o.removed_at is null)
                then max(b.ends_at) filter (where o.removed_at is null) end as to,
           bool_or(o.type = 'NewPlayers') as looks_at_players
    from bounty_objective o
    join bounty b on b.publisher_id = ${publisherId} and b.bounty_id = o.bounty_id
    where o.publisher_id = ${publisherId} and o.type <> 'Event'`.execute(tx);
  const [window] = rows;
  return {
    from: window?.from ?? null,
    to: window?.to ?? null,
    countsNewPlayers: window?.looks_at_players === true,
  };
}
