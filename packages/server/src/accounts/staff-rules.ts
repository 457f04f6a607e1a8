import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction, type Tx } from '../platform/database/in-transaction.ts';
import { Refusal } from '../platform/refusal.ts';

/** What a publisher asks of its staff. */
export interface StaffRules {
  demandsTwoFactor: boolean;
  /** A payout is paid by somebody else than who created it. */
  fourEyesPayouts: boolean;
}

export interface KeptStaffRules extends StaffRules {
  /** 0 before anything was asked. */
  version: number;
}

export async function getStaffRules(db: Db | Tx, publisherId: string): Promise<KeptStaffRules> {
  const row = await db
    .selectFrom('staff_rules')
    .select(['demands_two_factor', 'four_eyes_payouts', 'version'])
    .where('publisher_id', '=', publisherId)
    .executeTakeFirst();
  return {
    demandsTwoFactor: row?.demands_two_factor ?? false,
    fourEyesPayouts: row?.four_eyes_payouts ?? false,
    version: row?.version ?? 0,
  };
}

/**
 * Says what is asked of the staff, from everybody's next request on.
 * @param asked with the version that whoever changes it saw
 * @throws Refusal Conflict where somebody else was faster
 */
export const putStaffRules = (
  db: Db,
  actor: Actor,
  publisherId: string,
  { version, ...rules }: KeptStaffRules,
): Promise<KeptStaffRules> =>
  inTransaction(db, async (tx) => {
    // There may be no row to lock: whoever comes second meets the first one's.
    await tx
      .insertInto('staff_rules')
      .values({ publisher_id: publisherId, version: 0 })
      .onConflict((conflict) => conflict.column('publisher_id').doNothing())
      .execute();
    await tx
      .selectFrom('staff_rules')
      .select('version')
      .where('publisher_id', '=', publisherId)
      .forUpdate()
      .execute();
    const { version: now, ...before } = await getStaffRules(tx, publisherId);
    if (now !== version)
      throw new Refusal('Conflict', 'Somebody else changed this meanwhile; look at what it says now.');
    if (
      before.demandsTwoFactor === rules.demandsTwoFactor &&
      before.fourEyesPayouts === rules.fourEyesPayouts
    )
      return { ...rules, version };
    await tx
      .updateTable('staff_rules')
      .set({
        demands_two_factor: rules.demandsTwoFactor,
        four_eyes_payouts: rules.fourEyesPayouts,
        version: version + 1,
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
    return { ...rules, version: version + 1 };
  });
