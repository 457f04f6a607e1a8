import { Option } from 'commander';
import { Refusal } from '../platform/refusal.ts';
import { eraseBuyer } from '../privacy/erase-buyer.ts';
import { type LoggedErasure, parseErasures } from '../privacy/parse-erasures.ts';
import type { Work } from './command.ts';
import type { CommandTools } from './command-tools.ts';

export const replayOption = (): Option =>
  new Option('--replay <file>', 'repeat all erasures in this file, after a backup was restored');

/** Difference between clocks that a replay allows for, in milliseconds. */
const clockMs = 60_000;

/** Repeats the erasures in a file, for buyers and creators, each with what was recorded before it. */
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
      tools.warn(`${describe(erasure)}: ${error.message}`);
    }
  tools.printDone(
    json
      ? JSON.stringify({ erasures: erasures.length, changed, failed })
      : `${erasures.length} erasures repeated: ${changed} changed something, ${failed} failed.`,
  );
  if (failed > 0) tools.fail();
}

/** @returns true if something was erased */
async function repeat({ db, actor }: Work, { at, publisherId, playerId }: LoggedErasure): Promise<boolean> {
  const before = new Date(at.getTime() + clockMs);
  const erased = await eraseBuyer(db, actor, { publisherId, playerId, reason: 'restored backup', before });
  return erased.purchases + erased.firstPurchases + erased.customEvents + erased.events > 0;
}

const describe = ({ at, kind, publisherId }: LoggedErasure): string =>
  `The erasure of a ${kind} at ${publisherId} on ${at.toISOString()} failed`;
