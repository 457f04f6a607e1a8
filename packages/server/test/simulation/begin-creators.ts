import { sql } from 'kysely';
import { methodPlace } from '../../src/payees/destination.ts';
import type { Db } from '../../src/platform/database/database.ts';
import { newRowId } from '../../src/platform/ids.ts';
import { testSealer } from '../sealer.ts';
import type { GroupModel } from './model.ts';
import type { Random } from './random.ts';
import { accountOf, members } from './wave.ts';

/**
 * Decides what a publisher's payouts need, and gives most members what is needed, so that most histories pay something.
 * Saves both directly, because a publisher has no payouts yet.
 */
export async function beginCreators(
  db: Db,
  publisherId: string,
  groups: readonly GroupModel[],
  random: Random,
): Promise<void> {
  const needs = { method: random.oneIn(3), taxCleared: random.oneIn(3) };
  await sql`
    update publisher
    set payouts_need_method = ${needs.method}, payouts_need_tax_cleared = ${needs.taxCleared}
    where publisher_id = ${publisherId}`.execute(db);
  for (const { creators } of groups) creators.needs = needs;
  const some = groups.flatMap((group) =>
    members.filter(() => !random.oneIn(4)).map((member) => ({ group, member, id: newRowId() })),
  );
  const accounts = some.map(({ group, member }) => accountOf(group.groupId, member));
  const ids = some.map(({ id }) => id);
  if (needs.taxCleared) {
    for (const { group, member, id } of some) group.creators.clearances.set(member, [id]);
    await sql`
      insert into payee_gate (publisher_id, gate_id, account_id, kind, from_at, note, set_at, set_by_kind, set_by_id, set_by_name)
      select ${publisherId}, gate_id, account_id, 'tax', '2000-01-01', 'x', '2000-01-01', 'staff', 'x', 'x'
      from unnest(${ids}::uuid[], ${accounts}::text[]) as g (gate_id, account_id)`.execute(db);
  }
  if (!needs.method) return;
  for (const { group, member, id } of some) group.creators.methods.set(member, { id, isUsable: true });
  const sealed = accounts.map((accountId) => testSealer.seal('{}', methodPlace({ publisherId, accountId })));
  await sql`
    insert into payee_method (publisher_id, method_id, account_id, kind, sealed, hint, fingerprint, entered_at,
                              entered_by_kind, entered_by_id, entered_by_name, approved_at, approved_by_kind,
                              approved_by_id, approved_by_name, usable_from)
    select ${publisherId}, method_id, account_id, 'paypal', sealed, 'x', sha256(account_id::bytea), '2000-01-01',
           'staff', 'x', 'x', '2000-01-01', 'staff', 'y', 'y', '2000-01-01'
    from unnest(${ids}::uuid[], ${accounts}::text[], ${sealed}::text[]) as p (method_id, account_id, sealed)`.execute(
    db,
  );
}
