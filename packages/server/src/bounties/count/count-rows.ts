import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { addContributions } from './add-contributions.ts';
import { countedPurchases, keepFirstPurchases } from './counted-purchases.ts';

/**
 * Counts rows that are about to be posted, in the commit that posts them. Rows that were reversed before count for
 * nothing. Costs one small query where the publisher has no bounty that asks for purchases.
 * @param rows a from clause with the attribution `a`
 */
export async function countRows(tx: Tx, publisherId: string, rows: RawBuilder<unknown>): Promise<void> {
  const { from, to, looksAtPlayers } = await readObjectives(tx, publisherId);
  if (looksAtPlayers) await keepFirstPurchases(tx, publisherId, rows);
  if (from === null) return;
  const condition = sql`
    (select p.reversed_at from payment p
     where p.publisher_id = ${publisherId} and p.attribution_id = a.attribution_id) is null
    and a.transaction_date >= ${from} and a.transaction_date < coalesce(${to}::timestamptz, 'infinity')`;
  await addContributions(tx, publisherId, countedPurchases({ publisherId, rows, condition, looksAtPlayers }));
}

interface Asked {
  /** The time that the windows of all bounties that ask for purchases cover together; null: there are none. */
  from: Date | null;
  /** Null: one of them has no end. */
  to: Date | null;
  looksAtPlayers: boolean;
}

async function readObjectives(tx: Tx, publisherId: string): Promise<Asked> {
  const { rows } = await sql<{ from: Date | null; to: Date | null; looks_at_players: boolean | null }>`
    select min(b.starts_at) filter (where o.removed_at is null) as from,
           case when not bool_or(b.ends_at is null and o.removed_at is null)
                then max(b.ends_at) filter (where o.removed_at is null) end as to,
           bool_or(o.type = 'NewPlayers') as looks_at_players
    from bounty_objective o
    join bounty b on b.publisher_id = ${publisherId} and b.bounty_id = o.bounty_id
    where o.publisher_id = ${publisherId} and o.type <> 'Event'`.execute(tx);
  const [asked] = rows;
  return {
    from: asked?.from ?? null,
    to: asked?.to ?? null,
    looksAtPlayers: asked?.looks_at_players === true,
  };
}
