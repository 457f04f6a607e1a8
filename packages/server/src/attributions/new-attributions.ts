import type { CreditedMember } from '../members/resolve-codes.ts';
import type { AttributionId } from '../platform/database/tables.generated.ts';
import { newRowId } from '../platform/ids.ts';
import { inPieces } from '../platform/in-pieces.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Programme } from '../publishers/programmes.ts';
import type { Purchase } from './read-entry.ts';
import type { NewAttribution } from './record-statement.ts';

/**
 * The rows of one request, as a programme says they are recorded now.
 * @param members by folded code
 * @param shares by SKU; null for none of its own
 * @throws Refusal 400 for a code or a currency that the group does not take
 */
export async function toNewAttributions(
  programme: Programme,
  groupId: string,
  purchases: readonly Purchase[],
  members: ReadonlyMap<string, CreditedMember>,
  shares: ReadonlyMap<string, number | null>,
): Promise<NewAttribution[]> {
  const group = programme.groups.get(groupId);
  if (group === undefined) throw new Error('a resolved group is missing from the programme');
  const splits = new Map<string, number>();
  return inPieces(programme.publisherId, purchases, (purchase, index) => {
    const place = purchases.length === 1 ? '' : `[${index}].`;
    const { codeFolded, currency, totalCurrency, transactionId, skuId, ...kept } = purchase;
    for (const each of [currency, totalCurrency]) {
      if (group.disabledCurrencies.has(each)) {
        throw refusal(`${place}currency ${each} is disabled by the creator group.`);
      }
    }
    const member = members.get(codeFolded);
    if (member === undefined)
      throw refusal(`${place}code is not the code of an approved member of the creator group.`);
    const splitIndex = splits.get(transactionId) ?? 0;
    splits.set(transactionId, splitIndex + 1);
    return {
      ...kept,
      attributionId: newRowId<AttributionId>(),
      transactionId,
      splitIndex,
      groupId,
      membershipId: member.membershipId,
      code: member.code,
      memberPlayerId: member.playerId,
      origin: 'api',
      currency,
      totalCurrency,
      skuId,
      skuShareMillionths: skuId === null ? null : (shares.get(skuId) ?? null),
      tierId: member.tierId,
      tierShareMillionths: member.tierShareMillionths,
      groupShareMillionths: group.shareMillionths,
      isPaid: false,
      shareMillionths: null,
      shareMinor: null,
    };
  });
}

const refusal = (message: string): Refusal => new Refusal('InvalidInput', message);
