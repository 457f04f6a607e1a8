import type { Check } from './check.ts';
import { type IdRange, lowestId } from './look-up.ts';
import { type Finding, firstFinding } from './rules.ts';
import { endOfStatements, readClosedBefore, wrongStatements } from './statement-rules.ts';

/**
 * Compares statements with the ledger entries of their months. Only a full run does, because neither statements nor entries
 * change.
 * @returns the first difference, or null
 */
export async function checkStatements({
  snapshots,
  publisherId,
  rowsBefore,
}: Check): Promise<Finding | null> {
  if (rowsBefore !== null) return null;
  for (let from: string | null = lowestId; from !== null; ) {
    const start: string = from;
    const { finding, to } = await snapshots.read(snapshots.days, async (tx) => {
      const closedBefore = await readClosedBefore(tx, publisherId);
      if (closedBefore === null) return { finding: null, to: null, taken: 0 };
      const limit = snapshots.days.value;
      const range: IdRange = {
        from: start,
        to: await endOfStatements(tx, publisherId, { from: start, limit }),
      };
      const finding = await firstFinding(tx, wrongStatements(publisherId, range, closedBefore));
      return { finding, to: range.to, taken: limit };
    });
    if (finding !== null) return finding;
    from = to;
  }
  return null;
}
