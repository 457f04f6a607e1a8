import type { CreditedMember } from '../../members/read/resolve-codes.ts';
import type { RecordingId } from '../../platform/database/tables.generated.ts';
import { type InputPath, maxMistakes, type Refusal } from '../../platform/refusal.ts';
import { inPieces } from '../../platform/work/in-pieces.ts';
import type { Program } from '../../publishers/programs.ts';
import type { CoveringSchedule } from '../../revenue-shares/covering-schedules.ts';
import { type Offers, resolveShare } from '../../revenue-shares/resolve-share.ts';
import { roundShare } from '../../revenue-shares/round-share.ts';
import { rowIdOf } from '../recording-id.ts';
import type { Purchase } from './read-entry.ts';
import type { NewAttribution } from './record-columns.ts';
import { refuseAll, refuseEntry } from './refuse-entry.ts';

export interface RecordingContext {
  program: Program;
  groupId: string;
  /** Credited members, keyed by folded code. */
  members: ReadonlyMap<string, CreditedMember>;
  /** Shares, keyed by SKU; null for a SKU without its own share. */
  skuShares: ReadonlyMap<string, number | null>;
  /** Schedule that covers the date of each purchase. */
  schedules: ReadonlyMap<Purchase, CoveringSchedule>;
}

/** Recording that the rows belong to, and how many of its rows come before them. */
export interface PlaceInCommit {
  recordingId: RecordingId;
  rowsBefore: number;
}

/**
 * Builds the rows of one request, each with its member and share.
 * @throws Refusal InvalidInput for an unknown code or a disabled currency
 */
export async function toNewAttributions(
  { program, groupId, members, skuShares, schedules }: RecordingContext,
  purchases: readonly Purchase[],
  { recordingId, rowsBefore }: PlaceInCommit,
): Promise<NewAttribution[]> {
  const group = program.groups.get(groupId);
  if (group === undefined) throw new Error('a resolved group is missing from the program');
  const splits = new Map<string, number>();
  const place = (field: string, index: number): InputPath =>
    purchases.length === 1 ? [field] : [index, field];
  const mistakes: Refusal[] = [];
  const refuse = (refusal: Refusal): null => {
    mistakes.push(refusal);
    if (mistakes.length > maxMistakes) throw refuseAll(mistakes);
    return null;
  };
  const rows = await inPieces<Purchase, NewAttribution | null>(
    program.publisherId,
    purchases,
    (purchase, index) => {
      const { codeFolded, transactionId, skuId } = purchase;
      for (const currency of [purchase.currency, purchase.totalCurrency])
        if (group.disabledCurrencies.has(currency))
          return refuse(
            refuseEntry(place('currency', index), `${currency} is disabled by the creator group.`),
          );
      const member = members.get(codeFolded);
      if (member === undefined)
        return refuse(
          refuseEntry(place('code', index), 'is not the code of an approved member of the creator group.'),
        );
      const splitIndex = splits.get(transactionId) ?? 0;
      splits.set(transactionId, splitIndex + 1);
      const schedule = schedules.get(purchase);
      const offers: Offers = {
        sent: purchase.sentShareMillionths,
        sku: skuId === null ? null : (skuShares.get(skuId) ?? null),
        'scheduled-tier': schedule?.tierShareMillionths ?? null,
        'scheduled-group': schedule?.shareMillionths ?? null,
        tier: member.tierShareMillionths,
        group: group.shareMillionths,
      };
      const { rule, shareMillionths } = resolveShare(offers);
      // Every field is listed, because spreading objects would take longer than all other work on a row.
      return {
        attributionId: rowIdOf(recordingId, rowsBefore + index),
        groupId,
        transactionId,
        splitIndex,
        membershipId: member.membershipId,
        code: member.code,
        usesPlayerCode: purchase.usesPlayerCode,
        memberPlayerId: member.playerId,
        description: purchase.description,
        status: purchase.status,
        origin: purchase.origin,
        subtotalMinor: purchase.subtotalMinor,
        currency: purchase.currency,
        totalMinor: purchase.totalMinor,
        totalCurrency: purchase.totalCurrency,
        transactionDate: purchase.transactionDate,
        platform: purchase.platform,
        playerId: purchase.playerId,
        playerName: purchase.playerName,
        skuId,
        metrics: purchase.metrics,
        sentShareMillionths: offers.sent,
        skuShareMillionths: offers.sku,
        scheduleId: schedule?.scheduleId ?? null,
        scheduledTierShareMillionths: offers['scheduled-tier'],
        scheduledShareMillionths: offers['scheduled-group'],
        tierId: member.tierId,
        tierShareMillionths: offers.tier,
        groupShareMillionths: offers.group,
        decided: { rule, shareMillionths, shareMinor: roundShare(purchase.subtotalMinor, shareMillionths) },
        isPaid: false,
        shareMillionths: null,
        shareMinor: null,
        refundedMinor: 0n,
        reversedShareMinor: 0n,
      };
    },
  );
  if (mistakes.length > 0) throw refuseAll(mistakes);
  return rows.filter((row) => row !== null);
}
