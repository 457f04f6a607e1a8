import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction, type Tx } from '../platform/database/in-transaction.ts';
import { refuseStaleEdit, versionOf } from '../platform/version.ts';

export interface StaffRules {
  demandsTwoFactor: boolean;
  /** True if the person who created a payout can't mark it as paid. */
  fourEyesPayouts: boolean;
}

export interface StoredStaffRules extends StaffRules {
  version: string;
}

export async function getStaffRules(db: Db | Tx, publisherId: string): Promise<StoredStaffRules> {
  const row = await db
    .selectFrom('staff_rules')
    .select(['demands_two_factor', 'four_eyes_payouts'])
    .where('publisher_id', '=', publisherId)
    .executeTakeFirst();
  return withVersion({
    demandsTwoFactor: row?.demands_two_factor ?? false,
    fourEyesPayouts: row?.four_eyes_payouts ?? false,
  });
}

const withVersion = (rules: StaffRules): StoredStaffRules => ({
  ...rules,
  version: versionOf([rules.demandsTwoFactor, rules.fourEyesPayouts]),
});

/**
 * Saves a publisher's staff rules. They take effect on each person's next request.
 * @param rules includes the version that the actor's edit is based on
 * @throws Refusal Stale
 */
export const putStaffRules = (
  db: Db,
  actor: Actor,
  publisherId: string,
  { version, ...rules }: StoredStaffRules,
): Promise<StoredStaffRules> =>
  inTransaction(db, async (tx) => {
    // Without a row, there would be nothing to lock, and two concurrent first saves would both succeed.
    await tx
      .insertInto('staff_rules')
      .values({ publisher_id: publisherId })
      .onConflict((conflict) => conflict.column('publisher_id').doNothing())
      .execute();
    await tx
      .selectFrom('staff_rules')
      .select('publisher_id')
      .where('publisher_id', '=', publisherId)
      .forUpdate()
      .execute();
    const { version: current, ...before } = await getStaffRules(tx, publisherId);
    refuseStaleEdit('The list of staff rules', version, current);
    const saved = withVersion(rules);
    if (saved.version === current) return saved;
    await tx
      .updateTable('staff_rules')
      .set({
        demands_two_factor: rules.demandsTwoFactor,
        four_eyes_payouts: rules.fourEyesPayouts,
      })
      .where('publisher_id', '=', publisherId)
      .execute();
    await recordChange(tx, actor, {
      publisherId,
      action: 'staff-rules.put',
      target: `publisher:${publisherId}`,
      before,
      after: rules,
    });
    return saved;
  });
