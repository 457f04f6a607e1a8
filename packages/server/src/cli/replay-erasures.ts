import { Option } from 'commander';
import { systemClock } from '../platform/clock.ts';
import { Refusal } from '../platform/refusal.ts';
import { changedBuyer, eraseBuyer } from '../privacy/erase-buyer.ts';
import { changedCreator, eraseCreator } from '../privacy/erase-creator.ts';
import { type LoggedErasure, parseErasures } from '../privacy/parse-erasures.ts';
import type { Work } from './command.ts';
import type { CommandTools } from './command-tools.ts';

export const replayOption = (): Option =>
  new Option('--replay <file>', 'repeat all erasures in this file, after a backup was restored');

/** Difference between clocks that a replay allows for, in milliseconds. */
const clockMs = 60_000;
const reason = 'restored backup';

/**
 * Repeats the erasures in a file, for buyers and creators. For a buyer, it erases what was recorded before the first erasure,
 * because the player may have come back.
 */
export async function replayErasures(
  work: Work,
  tools: CommandTools,
  { file, json }: { file: string; json?: boolean },
): Promise<void> {
  const erasures = parseErasures(await tools.readText(file));
  let [changed, failed] = [0, 0];
  for (const erasure of erasures)
    try {
      if (await repeat(work, erasure)) changed += 1;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      failed += 1;
      tools.warn(`${describe(erasure)} failed: ${error.message}`);
    }
  tools.printDone(
    json
      ? JSON.stringify({ erasures: erasures.length, changed, failed })
      : `${erasures.length} erasures repeated: ${changed} changed something, ${failed} failed.`,
  );
  if (failed > 0) tools.fail();
}

/** @returns true if something was erased */
async function repeat({ db, sealer, actor }: Work, erasure: LoggedErasure): Promise<boolean> {
  if (erasure.kind === 'buyer') {
    const before = new Date(erasure.at.getTime() + clockMs);
    const { publisherId, playerId } = erasure;
    const erased = await eraseBuyer(db, actor, { publisherId, playerId, reason, before });
    return changedBuyer(erased);
  }
  const { accountId, replacesCodes, givenUp } = erasure;
  const deps = { db, sealer, clock: systemClock };
  const erased = await eraseCreator(deps, actor, { accountId, replacesCodes, givenUp, reason });
  return changedCreator(erased);
}

const describe = (erasure: LoggedErasure): string =>
  erasure.kind === 'buyer'
    ? `The erasure of a buyer at ${erasure.publisherId} on ${erasure.at.toISOString()}`
    : `The erasure of ${erasure.accountId}`;
