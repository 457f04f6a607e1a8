import { type Static, Type } from 'typebox';
import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import { inputName } from '../platform/inputs.ts';
import type { ProgramTx } from './changing-program.ts';

/**
 * Schema of the number of days after which buyers are forgotten. The minimum of seven days is longer than a
 * buyer's id is used for any purpose, such as bounties.
 */
export const forgetBuyersInput = Type.Union([Type.Integer({ minimum: 7, maximum: 3_650 }), Type.Null()], {
  description:
    'Number of days after which the playerId and playerName of a recorded purchase are blanked, 7 to 3,650; null for never.',
});

export const publisherInput = Type.Object({
  id: Type.String({
    pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
    description: '1 to 64 lowercase letters, digits, _ and -',
  }),
  name: Type.Optional(inputName),
  forgetBuyersAfterDays: Type.Optional(forgetBuyersInput),
});

export type PublisherInput = Static<typeof publisherInput>;

/**
 * Creates a publisher, or changes its name or the number of days after which buyers are forgotten. Recording
 * doesn't read these settings. In a long transaction, call this function last, because it locks the
 * publisher's row, which other transactions may need.
 * @returns whether anything changed
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
  const daysChange = after.forgetBuyersAfterDays !== daysBefore;
  if (before?.name === after.name && !daysChange) return false;
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
    before: before === undefined ? null : daysChange ? before : { name: before.name },
    after: daysChange ? after : { name: after.name },
  });
  return true;
}
