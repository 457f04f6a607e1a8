import { sql } from 'kysely';
import { type Static, Type } from 'typebox';
import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import { storable } from '../platform/http/schemas/schemas.ts';
import { closed, inputPercent } from '../platform/inputs.ts';
import { millionthsToPercent, percentToMillionths } from '../platform/percent.ts';
import { type ProgramTx, programChanged } from '../publishers/changing-program.ts';

export const skuShareInput = Type.Object(
  {
    skuId: Type.String({ minLength: 1, maxLength: 255, pattern: storable }),
    revShare: inputPercent('Percentage for this SKU.'),
  },
  closed,
);

export interface SkuShareInput extends Static<typeof skuShareInput> {
  publisherId: string;
  groupId: string;
}

/**
 * Sets a SKU's share in a group.
 * @returns whether anything changed
 */
export async function putSkuShare(tx: ProgramTx, actor: Actor, input: SkuShareInput): Promise<boolean> {
  const { publisherId, groupId, skuId } = input;
  const share = percentToMillionths(input.revShare);
  // The share can't change between the two statements, because changes to a program run one at a time.
  const before = await tx
    .selectFrom('sku_share')
    .select('share_millionths')
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .where('sku_id', '=', skuId)
    .executeTakeFirst();
  if (before?.share_millionths === share) return false;
  await sql`
    insert into sku_share (publisher_id, group_id, sku_id, share_millionths)
    values (${publisherId}, ${groupId}, ${skuId}, ${share})
    on conflict (publisher_id, group_id, sku_id)
      do update set share_millionths = excluded.share_millionths`.execute(tx);
  programChanged(tx, publisherId);
  await recordChange(tx, actor, {
    publisherId,
    action: 'sku-share.put',
    target: `sku-share:${groupId}/${skuId}`,
    before: before === undefined ? null : { revShare: millionthsToPercent(before.share_millionths) },
    after: { revShare: millionthsToPercent(share) },
  });
  return true;
}
