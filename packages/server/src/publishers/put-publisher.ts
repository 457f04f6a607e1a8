import { type Static, Type } from 'typebox';
import type { Actor } from '../audit/actor.ts';
import { differences } from '../audit/differences.ts';
import { recordChange } from '../audit/record-change.ts';
import { readMoment } from '../platform/database/moment.ts';
import { inputName } from '../platform/inputs.ts';
import { accentInput, checkAccent } from './brand/check-accent.ts';
import { checkCodeLink, codeLinkInput } from './brand/code-link.ts';
import type { ProgramTx } from './changing-program.ts';
import { payoutNeedsInput, readPayoutNeeds } from './payout-needs.ts';

/**
 * Schema of the number of days after which buyers are forgotten. The minimum is seven days, which is longer than any
 * feature, such as bounties, needs a buyer's id.
 */
export const forgetBuyersInput = Type.Union([Type.Integer({ minimum: 7, maximum: 3_650 }), Type.Null()], {
  description:
    'Number of days after which the playerId, playerName and metrics of a recorded purchase are blanked, 7 to 3,650; null for never.',
});

export const publisherInput = Type.Object({
  id: Type.String({
    pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
    description: '1 to 64 lowercase letters, digits, _ and -',
  }),
  name: Type.Optional(inputName),
  forgetBuyersAfterDays: Type.Optional(forgetBuyersInput),
  accent: Type.Optional(Type.Union([accentInput, Type.Null()])),
  codeLink: Type.Optional(Type.Union([codeLinkInput, Type.Null()])),
  payoutsNeed: Type.Optional(payoutNeedsInput),
});

export type PublisherInput = Static<typeof publisherInput>;

/**
 * Creates a publisher, or changes its name, the number of days after which buyers are forgotten, its accent,
 * the link for codes, or what its payouts need. Recording doesn't read these settings. In a long transaction, call this function last, because it
 * locks the publisher's row, which other transactions may need.
 * @returns whether anything changed
 * @throws Refusal InvalidInput for an accent with too little contrast, or a link without a place for the code
 */
export async function putPublisher(
  tx: ProgramTx,
  actor: Actor,
  { id, name, forgetBuyersAfterDays, accent, codeLink, payoutsNeed }: PublisherInput,
): Promise<boolean> {
  const stored = await tx
    .selectFrom('publisher')
    .select(['name', 'forget_buyers_after_days as forgetBuyersAfterDays', 'accent', 'code_link as codeLink'])
    .where('publisher_id', '=', id)
    .executeTakeFirst();
  const before = stored ?? { name: '', forgetBuyersAfterDays: null, accent: null, codeLink: null };
  // Like the terms of groups, payout requirements change either before or after a payout's cutoff.
  if (payoutsNeed !== undefined) await lockGroups(tx, id);
  const change = differences(
    { ...before, payoutsNeed: await readPayoutNeeds(tx, id) },
    {
      name: stored === undefined ? (name ?? id) : name,
      forgetBuyersAfterDays,
      accent: typeof accent === 'string' ? checkAccent(accent) : accent,
      codeLink: typeof codeLink === 'string' ? checkCodeLink(codeLink) : codeLink,
      payoutsNeed,
    },
  );
  if (change === null) return false;
  const { forgetBuyersAfterDays: days, codeLink: link, payoutsNeed: needs, ...rest } = change.after;
  const row = {
    ...rest,
    ...(days !== undefined && { forget_buyers_after_days: days }),
    ...(link !== undefined && { code_link: link }),
    ...(needs !== undefined && {
      payouts_need_method: needs.method,
      payouts_need_tax_cleared: needs.taxCleared,
    }),
  };
  if (needs !== undefined)
    await tx
      .updateTable('creator_group')
      .set({ terms_changed_at: await readMoment(tx) })
      .where('publisher_id', '=', id)
      .execute();
  if (stored === undefined)
    await tx
      .insertInto('publisher')
      .values({ name: id, ...row, publisher_id: id })
      .execute();
  else await tx.updateTable('publisher').set(row).where('publisher_id', '=', id).execute();
  await recordChange(tx, actor, {
    publisherId: id,
    action: 'publisher.put',
    target: `publisher:${id}`,
    before: stored === undefined ? null : change.before,
    after: change.after,
  });
  return true;
}

/** Locks a publisher's groups, in their order. */
async function lockGroups(tx: ProgramTx, publisherId: string): Promise<void> {
  await tx
    .selectFrom('creator_group')
    .select('group_id')
    .where('publisher_id', '=', publisherId)
    .orderBy('group_id')
    .forNoKeyUpdate()
    .execute();
}
