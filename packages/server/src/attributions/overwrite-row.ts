import { sql } from 'kysely';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { AttributionId } from '../platform/database/tables.generated.ts';
import { publishEvents } from '../webhooks/publish-events.ts';
import { toTransactionEvent } from './attribution-row.ts';
import { markChange } from './changes/mark-change.ts';
import { readAttributions } from './read-attributions.ts';
import type { Action, TransactionStatus } from './transaction-schema.ts';

/** What of a row is replaced; null leaves it. */
export interface Replacement {
  status: Action | null;
  /** The purchaser's id. */
  playerId: string | null;
}

export interface Overwritten {
  statusBefore: TransactionStatus;
  isStatusNew: boolean;
  isPlayerNew: boolean;
}

/** Replaces what may change of a row, locks it till the commit, and tells the publisher when its status is another one. */
export async function overwriteRow(
  tx: Tx,
  publisherId: string,
  attributionId: AttributionId,
  { status, playerId }: Replacement,
): Promise<Overwritten> {
  const before = await tx
    .selectFrom('attribution')
    .select(['status', 'player_id'])
    .where('publisher_id', '=', publisherId)
    .where('attribution_id', '=', attributionId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const isStatusNew = status !== null && status !== before.status;
  const isPlayerNew = playerId !== null && playerId !== before.player_id;
  if (isStatusNew || isPlayerNew)
    await tx
      .updateTable('attribution')
      .set({ ...(isStatusNew && { status }), ...(isPlayerNew && { player_id: playerId }) })
      .where('publisher_id', '=', publisherId)
      .where('attribution_id', '=', attributionId)
      .execute();
  if (isStatusNew || isPlayerNew) await markChange(tx, publisherId, attributionId, isPlayerNew);
  if (isStatusNew) await announceStatus(tx, publisherId, attributionId);
  return { statusBefore: before.status as TransactionStatus, isStatusNew, isPlayerNew };
}

async function announceStatus(tx: Tx, publisherId: string, attributionId: AttributionId): Promise<void> {
  const keys = sql`select ${attributionId}::uuid as attribution_id`;
  const [row] = await readAttributions(tx, publisherId, keys, sql`a.attribution_id`);
  if (row === undefined) throw new Error('a row whose status changed is gone');
  await publishEvents(tx, publisherId, [
    { kind: 'Attribution/TransactionStatusChanged', event: toTransactionEvent(row) },
  ]);
}
