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

/** What the rows of a group's requests are recorded with. */
export interface RecordedWith {
  program: Program;
  groupId: string;
  /** By folded code. */
  members: ReadonlyMap<string, CreditedMember>;
  /** By SKU; null for none of its own. */
  skuShares: ReadonlyMap<string, number | null>;
  /** Of the purchases whose date one covers. */
  schedules: ReadonlyMap<Purchase, CoveringSchedule>;
}

/** The commit that rows are recorded by, and how many rows it has before them. */
export interface PlaceInCommit {
  recordingId: RecordingId;
  rowsBefore: number;
}

/**
 * The rows of one request, as a program says they are recorded now, each with its share.
 * @throws Refusal InvalidInput for a code or a currency that the group does not take
 */
export async function toNewAttributions(
  { program, groupId, members, skuShares, schedules }: RecordedWith,
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
      // One field after the other: copying objects into one another takes longer than all else that is done with a row.
      return {
        attributionId: rowIdOf(recordingId, rowsBefore + index),
        groupId,
        transactionId,
        splitIndex,
        membershipId: member.membershipId,
        code: member.code,
        memberPlayerId: member.playerId,
        description: purchase.description,
        status: purchase.status,
        origin: 'api',
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
      };
    },
  );
  if (mistakes.length > 0) throw refuseAll(mistakes);
  return rows.filter((row) => row !== null);
}
