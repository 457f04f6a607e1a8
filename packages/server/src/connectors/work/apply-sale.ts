import type { AttributionRow } from '../../attributions/attribution-row.ts';
import { getTransaction } from '../../attributions/get-transaction.ts';
import { checkEntries } from '../../attributions/record/check-entries.ts';
import { type Purchase, readEntry } from '../../attributions/record/read-entry.ts';
import { codeOfPlayer, withPlayerCodes } from '../../attributions/record/with-player-codes.ts';
import type { TransactionEntry } from '../../attributions/transaction-schema.ts';
import { foldCode, resolveCodes } from '../../members/read/resolve-codes.ts';
import { Refusal } from '../../platform/refusal.ts';
import { findPlayerCode } from '../../player-codes/player-code.ts';
import { resolveGroup } from '../../publishers/resolve-group.ts';
import type { Sale } from '../movement.ts';
import type { NamedOrder } from '../orders/name-order.ts';
import { findOrder, useOrder } from '../orders/use-order.ts';
import { providerOf } from '../providers/all-providers.ts';
import { type EventWork, transactionIdOf } from './event-work.ts';
import type { Outcome } from './outcome.ts';
import { type CodeShare, readCodes, splitSale } from './split-sale.ts';

/** Records a purchase. One that was recorded before isn't recorded again. */
export async function applySale(work: EventWork, reported: Sale): Promise<Outcome> {
  const { deps, connector, event, program } = work;
  const { publisherId, connectorId, settings } = connector;
  if (isLateRenewal(reported, settings.renewalMonths ?? 0)) return { status: 'Ignored', reason: 'Renewal' };
  const { groupId } = await resolveGroup(deps.programs, publisherId, null, connector.groupId ?? undefined);
  const { orderId } = reported;
  const named = await findOrder(deps.db, { publisherId, connectorId, orderId });
  const sale = { ...reported, playerId: named?.playerId ?? reported.playerId };
  const credited = await findCreators(work, { sale, named, groupId });
  if ('status' in credited) return credited;
  const transactionId = sale.sentTransactionId ?? transactionIdOf(connector, sale.orderId);
  const status = event.isTest && !program.isSandbox ? 'Test' : 'Normal';
  const entries = splitSale(sale, credited.shares).map(
    (row): TransactionEntry => ({
      transactionId,
      code: row.code,
      description: row.description ?? `${connector.name}: ${sale.orderId}`,
      status,
      subtotal: Number(row.subtotalMinor),
      currency: sale.subtotal.currency,
      total: Number(row.totalMinor),
      totalCurrency: sale.total.currency,
      transactionDate: sale.at,
      ...(sale.playerId !== null && { playerId: sale.playerId }),
      ...(row.skuId !== null && { skuId: row.skuId }),
    }),
  );
  const problem = checkEntries(entries, true);
  if (problem !== null) return { status: 'Failed', reason: 'Invalid', message: problem.message };
  const purchases = await withPlayerCodes(
    deps.db,
    { publisherId, groupId },
    entries.map((entry) => ({
      ...readEntry(entry, [], true),
      origin: providerOf(connector.provider).origin,
    })),
    () => [],
  );
  if (named !== null && !(await useOrder(deps.db, named, deps.clock.now())))
    return {
      status: 'Waiting',
      reason: 'Retry',
      message: 'The order was named differently in the meantime.',
    };
  try {
    await deps.recordQueue.record(publisherId, groupId, purchases);
    return { status: 'Done', reason: 'Recorded', transactionId };
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'Conflict') throw error;
    const saved = await getTransaction(deps.db, publisherId, transactionId);
    return hasSameMoney(saved, purchases)
      ? { status: 'Done', reason: 'AlreadyRecorded', transactionId }
      : {
          status: 'Failed',
          reason: 'Conflict',
          message: `The transaction ${transactionId} was recorded with other codes or amounts. Nothing was changed.`,
        };
  }
}

interface Crediting {
  sale: Sale;
  /** Order as it was named in advance; null if it wasn't. */
  named: NamedOrder | null;
  groupId: string;
}

/**
 * Returns the creators to credit: those of the code that the event contains, else of the one that was named in advance, else of the one
 * that the player had entered. If neither of the first two is known, the order waits for the one that was named, which the publisher's
 * back end chose. @returns the reason if there are none
 */
async function findCreators(
  { deps, connector, program }: EventWork,
  { sale: { code, playerId, at }, named, groupId }: Crediting,
): Promise<{ shares: readonly CodeShare[] } | Outcome> {
  let missing: string | undefined;
  for (const text of [code, named?.code ?? null]) {
    if (text === null) continue;
    const shares = readCodes(text);
    if (shares === null)
      return {
        status: 'Failed',
        reason: 'Invalid',
        message: 'The creator code must be a code, or codes with whole percents such as ALICE:70,BOB:30.',
      };
    const folded = shares.map((share) => foldCode(share.code));
    const found = await resolveCodes(deps.db, program, groupId, new Set(folded));
    const unknown = folded.find((each) => !found.has(each));
    if (unknown === undefined) return { shares };
    missing = unknown;
  }
  if (connector.settings.usesPlayerCode === true && playerId !== null) {
    const player = { publisherId: connector.publisherId, groupId, playerId };
    if ((await findPlayerCode(deps.db, player, new Date(at))) !== null)
      return { shares: [{ code: codeOfPlayer, percent: 100n }] };
  }
  return missing === undefined
    ? { status: 'Ignored', reason: 'NoCode' }
    : { status: 'Ignored', reason: 'CodeNotInGroup', missingCode: missing.slice(0, 255) };
}

function isLateRenewal({ renewalOf, at }: Sale, months: number): boolean {
  if (renewalOf === undefined) return false;
  if (months === 0) return true;
  if (renewalOf.startedAt === null) return false;
  const end = new Date(renewalOf.startedAt);
  end.setUTCMonth(end.getUTCMonth() + months);
  return new Date(at) >= end;
}

/** Returns whether saved rows credit the same codes with the same amounts, however they are divided into rows. */
function hasSameMoney(saved: readonly AttributionRow[], purchases: readonly Purchase[]): boolean {
  const sums = new Map<string, bigint>();
  const add = (code: string, currency: string, minor: bigint): void => {
    const key = `${foldCode(code)} ${currency}`;
    sums.set(key, (sums.get(key) ?? 0n) + minor);
  };
  for (const row of saved) add(row.code, row.currency, row.subtotalMinor);
  for (const row of purchases) add(row.codeFolded, row.currency, -row.subtotalMinor);
  return [...sums.values()].every((sum) => sum === 0n);
}
