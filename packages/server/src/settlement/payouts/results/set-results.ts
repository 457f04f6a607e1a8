import type { Actor } from '../../../audit/actor.ts';
import { storedActorId } from '../../../audit/record-change.ts';
import { lockMemberships } from '../../../members/lock-members.ts';
import type { Clock } from '../../../platform/clock.ts';
import { beginStep } from '../../../platform/database/connections/request-budget.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import { formatMinorUnits } from '../../../platform/money.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { nowAt } from '../../../publishers/publisher-time.ts';
import { lockForPosting } from '../../settlement-lock.ts';
import type { NeedsAnotherPerson } from '../mark-payout-paid.ts';
import { inStep } from '../payout-step.ts';
import { getPayout, type PayoutBatch } from '../read/read-payouts.ts';
import { judgeResults, type ResultVerdict } from './judge-results.ts';
import type { WantedResult } from './parse-results.ts';
import { isOwedAgain } from './result.ts';
import { saveResults } from './save-results.ts';

export interface ResultsToSet {
  publisherId: string;
  /** Payout id as entered; see `getPayout`. */
  payoutId: string;
  results: readonly WantedResult[];
  /** True to return the verdicts without changing anything. */
  isDryRun: boolean;
  /** Sum of the lines that fail or are returned, as the actor confirmed it. Any other sum is rejected. */
  owedAgainMinor?: bigint;
}

export interface SetResults {
  payout: PayoutBatch;
  verdicts: ResultVerdict[];
  /** Sum of the changed lines whose money is owed again. */
  owedAgainMinor: bigint;
}

export interface SetResultsParts {
  clock: Clock;
  needsAnotherPerson: NeedsAnotherPerson;
}

/** Lines per commit. The commit locks this many members for about 50 ms. */
const linesPerStep = 200;

/**
 * Sets the results of a payout's lines where possible, and returns a verdict on every line. The amounts of lines that
 * failed or were returned are owed again, and added to the members' next payouts. Each commit sets the results of up to
 * 200 lines and adds their amounts to the ledger. After a crash, the caller can safely repeat the call, because lines
 * that already have their result don't change.
 * @throws Refusal when the payout does not exist or is not created or paid, or the sum is not the confirmed one;
 *   Forbidden for the payout's creator if the publisher requires a different person to mark it as paid
 */
export async function setResults(
  parts: SetResultsParts,
  db: Db,
  actor: Actor,
  { publisherId, payoutId, results, isDryRun, owedAgainMinor: confirmedMinor }: ResultsToSet,
): Promise<SetResults> {
  const payout = await getPayout(db, publisherId, payoutId);
  requireOpen(payout);
  const verdicts = await judgeResults(db, { publisherId, ...payout }, results);
  const owedAgainMinor = sumOwedAgain(verdicts);
  if (isDryRun) return { payout, verdicts, owedAgainMinor };
  if (confirmedMinor !== undefined && confirmedMinor !== owedAgainMinor)
    throw new Refusal(
      'Conflict',
      `The lines that failed or were returned add up to ${formatMinorUnits(owedAgainMinor, payout.currency)} ${payout.currency}, ` +
        `not ${formatMinorUnits(confirmedMinor, payout.currency)}. Nothing was changed. Check the lines again.`,
      { path: ['owedAgainMinor'] },
    );
  const places = new Map(verdicts.map(({ line }, place) => [line, place]));
  const wanted = new Map(results.map((each) => [each.line, each]));
  // In the order of memberships, like the steps of payouts.
  const changes = verdicts
    .filter(({ verdict }) => verdict === 'change')
    .sort((one, other) => ((one.item?.membershipId ?? '') < (other.item?.membershipId ?? '') ? -1 : 1));
  const changed = [];
  for (let from = 0; from < changes.length; from += linesPerStep) {
    if (from > 0) beginStep();
    const set = changes.slice(from, from + linesPerStep).flatMap(({ line, item }) => {
      const each = wanted.get(line);
      return each === undefined || item === null ? [] : [{ wanted: each, membershipId: item.membershipId }];
    });
    const done = await inStep(
      db,
      async (tx) => {
        await lockForPosting(tx, publisherId); // keeps the money out of payouts with an earlier cutoff
        await lockMemberships(
          tx,
          publisherId,
          set.map(({ membershipId }) => membershipId),
        );
        const locked = await lockPayout(tx, publisherId, payout);
        // Another person may have set a result, or marked the payout as paid, since the first read.
        const judged = await judgeResults(
          tx,
          { publisherId, ...locked },
          set.map((each) => each.wanted),
        );
        const changing = judged.filter(({ verdict }) => verdict === 'change');
        if (changing.some(({ to }) => to !== 'Sent'))
          await requirePerson(parts, tx, actor, { publisherId, payout });
        const at = await nowAt(tx, parts.clock, publisherId);
        await saveResults(tx, actor, { publisherId, payout, at, verdicts: changing });
        return judged;
      },
      async () => undefined,
    );
    changed.push(...done);
  }
  for (const verdict of changed) verdicts[places.get(verdict.line) ?? -1] = verdict;
  return { payout, verdicts, owedAgainMinor: sumOwedAgain(verdicts) };
}

const sumOwedAgain = (verdicts: readonly ResultVerdict[]): bigint =>
  verdicts
    .filter(({ verdict, to }) => verdict === 'change' && isOwedAgain(to))
    .reduce((sum, { item }) => sum + (item?.amountMinor ?? 0n), 0n);

function requireOpen({ batchId, status }: Pick<PayoutBatch, 'batchId' | 'status'>): void {
  if (status === 'Preparing')
    throw new Refusal('Conflict', `Payout ${batchId} is still being created. Try again when it is done.`);
  if (status !== 'Created' && status !== 'Paid')
    throw new Refusal('Conflict', `Payout ${batchId} was canceled, so none of its lines are paid.`);
}

async function lockPayout(
  tx: Tx,
  publisherId: string,
  { batchId }: PayoutBatch,
): Promise<Pick<PayoutBatch, 'batchId' | 'status'>> {
  const { status } = await tx
    .selectFrom('payout_batch')
    .select('status')
    .where('publisher_id', '=', publisherId)
    .where('batch_id', '=', batchId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const locked = { batchId, status: status as PayoutBatch['status'] };
  requireOpen(locked);
  return locked;
}

/** Applies the rule for marking payouts as paid to every result that says what happened to the money. */
async function requirePerson(
  { needsAnotherPerson }: SetResultsParts,
  tx: Tx,
  actor: Actor,
  { publisherId, payout: { createdBy } }: { publisherId: string; payout: PayoutBatch },
): Promise<void> {
  const paying = { ...actor, id: storedActorId(actor.id) };
  if (await needsAnotherPerson(tx, publisherId, createdBy, paying))
    throw new Refusal(
      'Forbidden',
      'You or one of your tokens created this payout, and this publisher requires a different person to record what happened to its money. You can set only Sent.',
    );
}
