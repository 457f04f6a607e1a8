import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import { teamOf } from '../publishers/sandboxes.ts';
import { getStaffRules } from './staff-rules.ts';

/** Kind and id of an actor, as stored with payouts and tokens. */
export interface RecordedActor {
  kind: string;
  id: string;
}

/**
 * Returns whether a different person must mark the payout as paid: the publisher requires a second person,
 * and both actors are the same person. A token counts as the person who created it, so people can't use a
 * token to pay their own payouts.
 * @param creating actor who created the payout; null if unknown
 */
export async function needsAnotherPerson(
  tx: Db | Tx,
  publisherId: string,
  creating: RecordedActor | null,
  paying: RecordedActor,
): Promise<boolean> {
  if (creating === null || !(await requiresFourEyes(tx, publisherId))) return false;
  const creator = await personBehind(tx, publisherId, creating);
  const payer = await personBehind(tx, publisherId, paying);
  return creator === null || payer === null || (creator.kind === payer.kind && creator.id === payer.id);
}

async function requiresFourEyes(tx: Db | Tx, publisherId: string): Promise<boolean> {
  const rules = await getStaffRules(tx, (await teamOf(tx, publisherId)) ?? publisherId);
  return rules.fourEyesPayouts;
}

/** @returns null for a token whose creator is unknown, because the token could belong to either person */
async function personBehind(
  tx: Db | Tx,
  publisherId: string,
  actor: RecordedActor,
): Promise<RecordedActor | null> {
  if (actor.kind !== 'token') return actor;
  const token = await tx
    .selectFrom('operator_token')
    .select(['created_by_kind', 'created_by_id'])
    .where('publisher_id', '=', publisherId)
    .where('token_id', '=', actor.id)
    .executeTakeFirst();
  const { created_by_kind: kind = null, created_by_id: id = null } = token ?? {};
  return kind === null || id === null ? null : { kind, id };
}
