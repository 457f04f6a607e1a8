import { sql } from 'kysely';
import type { Actor } from '../../../audit/actor.ts';
import { recordChange } from '../../../audit/record-change.ts';
import { lockMembers } from '../../../members/lock-members.ts';
import { beginStep } from '../../../platform/database/connections/request-budget.ts';
import type { Db } from '../../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../../platform/database/in-transaction.ts';
import { readMoment } from '../../../platform/database/moment.ts';
import type { AccountId } from '../../../platform/database/tables.generated.ts';
import { changingProgram } from '../../../publishers/changing-program.ts';
import { laterBy, readAheadMs } from '../../../publishers/publisher-time.ts';
import { readHoldTimes } from '../../holds/save-holds.ts';
import { lockForPosting } from '../../settlement-lock.ts';
import { saveGates } from '../save-gates.ts';
import { type ClearanceVerdict, judgeClearances } from './judge-clearances.ts';
import type { WantedClearance } from './parse-clearances.ts';

export interface ClearancesToImport {
  publisherId: string;
  clearances: readonly WantedClearance[];
  /** True to return the verdicts without changing anything. */
  isDryRun: boolean;
}

/** Lines per commit. The commit locks this many creators' members. */
const linesPerStep = 200;

/**
 * Sets the tax clearances that can be set, and returns a verdict on every line. After a crash, the caller can safely
 * repeat the call, because a clearance that is already set is left unchanged.
 */
export async function importClearances(
  db: Db,
  actor: Actor,
  { publisherId, clearances, isDryRun }: ClearancesToImport,
): Promise<ClearanceVerdict[]> {
  const clockAt = laterBy(await readMoment(db), await readAheadMs(db, publisherId));
  const verdicts = await judgeClearances(db, publisherId, clearances, clockAt);
  if (isDryRun) return verdicts;
  const changing = clearances.filter((_, index) => verdicts[index]?.verdict === 'change');
  const saved = new Map<number, ClearanceVerdict>();
  for (let from = 0; from < changing.length; from += linesPerStep) {
    if (from > 0) beginStep();
    const step = changing.slice(from, from + linesPerStep);
    const done = await inTransaction(db, (tx) => saveStep(tx, actor, publisherId, step));
    for (const verdict of done) saved.set(verdict.line, verdict);
  }
  return verdicts.map((verdict) => saved.get(verdict.line) ?? verdict);
}

async function saveStep(
  tx: Tx,
  actor: Actor,
  publisherId: string,
  clearances: readonly WantedClearance[],
): Promise<ClearanceVerdict[]> {
  // The clearances must commit entirely before or entirely after a payout's cutoff.
  await lockForPosting(tx, publisherId);
  // Clearances aren't part of the program, but a claim of a creator must not run at the same time.
  return changingProgram(tx, publisherId, async (tx) => {
    const times = await readHoldTimes(tx, publisherId);
    // Another person may have set a clearance, or a creator may have claimed a member, since the first read.
    const judged = await judgeClearances(tx, publisherId, clearances, times.clockAt);
    const changes = judged.flatMap(({ verdict, accountId, from, ...each }) =>
      verdict === 'change' && accountId !== null
        ? [{ ...each, accountId, kind: 'tax' as const, from: from ?? times.clockAt }]
        : [],
    );
    await lockCreators(
      tx,
      publisherId,
      changes.map(({ accountId }) => accountId),
    );
    const gateIds = await saveGates(tx, actor, { publisherId, ...times }, changes);
    for (const [index, { accountId, from, until, note }] of changes.entries())
      await recordChange(tx, actor, {
        publisherId,
        action: 'member.clear-tax',
        target: `member:${accountId}`,
        after: { gate: gateIds[index], from, until },
        reason: note,
      });
    return judged;
  });
}

/** Locks the creators' members, so that each step of a payout either has already left them out or sees the clearance. */
const lockCreators = (tx: Tx, publisherId: string, accountIds: readonly AccountId[]): Promise<void> =>
  lockMembers(
    tx,
    publisherId,
    sql`select membership_id from membership
        where publisher_id = ${publisherId} and account_id = any(${[...accountIds]}::text[])`,
  );
