import type { CreditedMember } from '../../members/read/resolve-codes.ts';
import type { AttributionId } from '../../platform/database/tables.generated.ts';
import { newRowId } from '../../platform/ids.ts';
import type { InputPath } from '../../platform/refusal.ts';
import { inPieces } from '../../platform/work/in-pieces.ts';
import type { Programme } from '../../publishers/programmes.ts';
import type { Purchase } from './read-entry.ts';
import type { NewAttribution } from './record-statement.ts';
import { refuseEntry } from './refuse-entry.ts';

/** What the rows of a group's requests are recorded with. */
export interface RecordedWith {
  programme: Programme;
  groupId: string;
  /** By folded code. */
  members: ReadonlyMap<string, CreditedMember>;
  /** By SKU; null for none of its own. */
  shares: ReadonlyMap<string, number | null>;
}

/**
 * The rows of one request, as a programme says they are recorded now.
 * @throws Refusal InvalidInput for a code or a currency that the group does not take
 */
export async function toNewAttributions(
  { programme, groupId, members, shares }: RecordedWith,
  purchases: readonly Purchase[],
): Promise<NewAttribution[]> {
  const group = programme.groups.get(groupId);
  if (group === undefined) throw new Error('a resolved group is missing from the programme');
  const splits = new Map<string, number>();
  const place = (field: string, index: number): InputPath =>
    purchases.length === 1 ? [field] : [index, field];
  return inPieces(programme.publisherId, purchases, (purchase, index) => {
    const { codeFolded, currency, totalCurrency, transactionId, skuId, ...kept } = purchase;
    for (const each of [currency, totalCurrency])
      if (group.disabledCurrencies.has(each))
        throw refuseEntry(place('currency', index), `${each} is disabled by the creator group.`);
    const member = members.get(codeFolded);
    if (member === undefined)
      throw refuseEntry(place('code', index), 'is not the code of an approved member of the creator group.');
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
