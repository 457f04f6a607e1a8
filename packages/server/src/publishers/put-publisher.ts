import { type Static, Type } from 'typebox';
import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import { inputName } from '../platform/inputs.ts';
import type { ProgramTx } from './changing-program.ts';

/** The shortest is longer than anything that is done with a buyer's id takes: bounties count new players within seconds. */
export const forgetBuyersInput = Type.Union([Type.Integer({ minimum: 7, maximum: 3_650 }), Type.Null()], {
  description:
    'So many days after a purchase was recorded its playerId and playerName are blanked, 7 to 3,650; null: never.',
});

export const publisherInput = Type.Object({
  id: Type.String({
    pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
    description: '1 to 64 small letters, digits, _ and -',
  }),
  name: Type.Optional(inputName),
  forgetBuyersAfterDays: Type.Optional(forgetBuyersInput),
});

export type PublisherInput = Static<typeof publisherInput>;

/**
 * Makes a publisher, or names it anew, or says how long its buyers are known. Recording reads nothing of this. What takes long names the publisher
 * last: it locks the publisher's row, which others' changes may need.
 * @returns whether anything is different now
 */
export async function putPublisher(
  tx: ProgramTx,
  actor: Actor,
  { id, name, forgetBuyersAfterDays }: PublisherInput,
): Promise<boolean> {
  const found = await tx
    .selectFrom('publisher')
    .select(['name', 'forget_buyers_after_days'])
    .where('publisher_id', '=', id)
    .executeTakeFirst();
  const before = found && { name: found.name, forgetBuyersAfterDays: found.forget_buyers_after_days };
  const daysBefore = before?.forgetBuyersAfterDays ?? null;
  const after = {
    name: name ?? before?.name ?? id,
    forgetBuyersAfterDays: forgetBuyersAfterDays === undefined ? daysBefore : forgetBuyersAfterDays,
  };
  const areDaysNew = after.forgetBuyersAfterDays !== daysBefore;
  if (before?.name === after.name && !areDaysNew) return false;
  const row = { name: after.name, forget_buyers_after_days: after.forgetBuyersAfterDays };
  if (before === undefined)
    await tx
      .insertInto('publisher')
      .values({ publisher_id: id, ...row })
      .execute();
  else await tx.updateTable('publisher').set(row).where('publisher_id', '=', id).execute();
  await recordChange(tx, actor, {
    publisherId: id,
    action: 'publisher.put',
    target: `publisher:${id}`,
    before: before === undefined ? null : areDaysNew ? before : { name: before.name },
    after: areDaysNew ? after : { name: after.name },
  });
  return true;
}
