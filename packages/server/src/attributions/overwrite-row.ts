import { sql } from 'kysely';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { AttributionId } from '../platform/database/tables.generated.ts';
import { publishEvents } from '../webhooks/publish-events.ts';
import { toTransactionEvent } from './attribution-row.ts';
import { markChange } from './changes/mark-change.ts';
import { readAttributions } from './read-attributions.ts';
import type { TransactionStatus } from './transaction-schema.ts';

/** New values for a row. Null leaves a value unchanged. */
export interface Replacement {
  status: TransactionStatus | null;
  playerId: string | null;
}

export interface Overwritten {
  statusBefore: TransactionStatus;
  isStatusChanged: boolean;
  isPlayerChanged: boolean;
}

/**
 * Overwrites a row's status or buyer and keeps the row locked until the commit. Publishes an event if the
 * status changed.
 */
export async function overwriteRow(
  tx: Tx,
  publisherId: string,
  attributionId: AttributionId,
  { status, playerId }: Replacement,
): Promise<Overwritten> {
  const before = await tx
    .selectFrom('attribution')
    .select([
      'status',
      'player_id',
      sql<boolean>`coalesce(player_name, metrics::text) is not null`.as('describes_buyer'),
    ])
    .where('publisher_id', '=', publisherId)
    .where('attribution_id', '=', attributionId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const isStatusChanged = status !== null && status !== before.status;
  const isPlayerChanged = playerId !== null && playerId !== before.player_id;
  if (isStatusChanged || isPlayerChanged)
    await tx
      .updateTable('attribution')
      .set({ ...(isStatusChanged && { status }), ...(isPlayerChanged && { player_id: playerId }) })
      .where('publisher_id', '=', publisherId)
      .where('attribution_id', '=', attributionId)
      .execute();
  // The row's name and metrics are still the first buyer's.
  if (isPlayerChanged && before.player_id !== null && before.describes_buyer)
    await tx
      .insertInto('former_buyer')
      .values({ publisher_id: publisherId, attribution_id: attributionId, player_id: before.player_id })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  if (isStatusChanged || isPlayerChanged) await markChange(tx, publisherId, attributionId, isPlayerChanged);
  if (isStatusChanged) await publishStatusChange(tx, publisherId, attributionId);
  return { statusBefore: before.status as TransactionStatus, isStatusChanged, isPlayerChanged };
}

async function publishStatusChange(tx: Tx, publisherId: string, attributionId: AttributionId): Promise<void> {
  const keys = sql`select ${attributionId}::uuid as attribution_id`;
  const [row] = await readAttributions(tx, publisherId, keys, sql`a.attribution_id`);
  if (row === undefined) throw new Error('a row whose status changed no longer exists');
  await publishEvents(tx, publisherId, [
    { kind: 'Attribution/TransactionStatusChanged', event: toTransactionEvent(row) },
  ]);
}
