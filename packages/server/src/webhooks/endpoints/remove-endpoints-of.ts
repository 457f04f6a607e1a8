import type { Actor } from '../../audit/actor.ts';
import { recordChanges } from '../../audit/record-change.ts';
import { type ProgramTx, programChanged } from '../../publishers/changing-program.ts';
import { removal } from './remove-endpoint.ts';

export async function removeEndpointsOf(tx: ProgramTx, actor: Actor, publisherId: string): Promise<void> {
  const removed = await tx
    .deleteFrom('webhook_endpoint')
    .where('publisher_id', '=', publisherId)
    .returning(['endpoint_id', 'url', 'event_kinds'])
    .execute();
  if (removed.length > 0) programChanged(tx, publisherId);
  await recordChanges(
    tx,
    actor,
    removed.map((each) => removal(publisherId, each)),
  );
}
