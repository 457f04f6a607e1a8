import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import { teamOf } from '../publishers/sandboxes.ts';
import { getStaffRules } from './staff-rules.ts';

/** Who did something, as records keep it. */
export interface Doer {
  kind: string;
  id: string;
}

/**
 * Whether a publisher has a payout paid by somebody else than who made it. A token acts for whoever made it, so that
 * nobody is two people by one.
 * @param made who made the payout; null where that is not known
 */
export async function needsAnotherPerson(
  tx: Db | Tx,
  publisherId: string,
  made: Doer | null,
  paying: Doer,
): Promise<boolean> {
  if (made === null || !(await asksFourEyes(tx, publisherId))) return false;
  const maker = await personBehind(tx, publisherId, made);
  const payer = await personBehind(tx, publisherId, paying);
  return maker === null || payer === null || (maker.kind === payer.kind && maker.id === payer.id);
}

async function asksFourEyes(tx: Db | Tx, publisherId: string): Promise<boolean> {
  const rules = await getStaffRules(tx, (await teamOf(tx, publisherId)) ?? publisherId);
  return rules.fourEyesPayouts;
}

/** @returns null for a token of which it is not known who made it: it may be anybody's */
async function personBehind(tx: Db | Tx, publisherId: string, doer: Doer): Promise<Doer | null> {
  if (doer.kind !== 'token') return doer;
  const token = await tx
    .selectFrom('operator_token')
    .select(['created_by_kind', 'created_by_id'])
    .where('publisher_id', '=', publisherId)
    .where('token_id', '=', doer.id)
    .executeTakeFirst();
  const { created_by_kind: kind = null, created_by_id: id = null } = token ?? {};
  return kind === null || id === null ? null : { kind, id };
}
