import { sql } from 'kysely';
import { type Static, Type } from 'typebox';
import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import { storable } from '../platform/http/schemas/schemas.ts';
import { closed, inputPercent } from '../platform/inputs.ts';
import { millionthsToPercent, percentToMillionths } from '../platform/percent.ts';
import { type ProgrammeTx, programmeChanged } from '../publishers/changing-programme.ts';

export const skuShareInput = Type.Object(
  {
    skuId: Type.String({ minLength: 1, maxLength: 255, pattern: storable }),
    revShare: inputPercent('Percent for this SKU.'),
  },
  closed,
);

export interface SkuShareInput extends Static<typeof skuShareInput> {
  publisherId: string;
  groupId: string;
}

/**
 * Gives a SKU a share of its own in a group, or changes it.
 * @returns whether anything is different now
 */
export async function putSkuShare(tx: ProgrammeTx, actor: Actor, input: SkuShareInput): Promise<boolean> {
  const { publisherId, groupId, skuId } = input;
  const share = percentToMillionths(input.revShare);
  // One statement, for a file may have thousands: what is read of it is as it was before.
  const { rows } = await sql<{ before: number | null }>`
    with before as (
      select share_millionths
      from sku_share
      where publisher_id = ${publisherId} and group_id = ${groupId} and sku_id = ${skuId}
    )
    insert into sku_share (publisher_id, group_id, sku_id, share_millionths)
    values (${publisherId}, ${groupId}, ${skuId}, ${share})
    on conflict (publisher_id, group_id, sku_id)
      do update set share_millionths = excluded.share_millionths
      where sku_share.share_millionths <> excluded.share_millionths
    returning (select share_millionths from before) as before`.execute(tx);
  const [changed] = rows;
  if (changed === undefined) return false;
  programmeChanged(tx, publisherId);
  await recordChange(tx, actor, {
    publisherId,
    action: 'sku-share.put',
    target: `sku-share:${groupId}/${skuId}`,
    before: changed.before === null ? null : { revShare: millionthsToPercent(changed.before) },
    after: { revShare: millionthsToPercent(share) },
  });
  return true;
}
