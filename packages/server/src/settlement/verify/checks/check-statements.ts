import type { Check } from './check.ts';
import { type IdRange, lowestId } from './look-up.ts';
import { type Finding, firstFinding } from './rules.ts';
import { endOfStatements, missingStatements, readClosedMonths, wrongStatements } from './statement-rules.ts';

/**
 * Compares statements with the ledger entries of their months, and the entries of closed months with the statements. Only a full
 * run does, because neither statements nor their entries change.
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
      const closed = await readClosedMonths(tx, publisherId);
      if (closed === null) return { finding: null, to: null, taken: 0 };
      const limit = snapshots.days.value;
      const range: IdRange = {
        from: start,
        to: await endOfStatements(tx, publisherId, { from: start, limit }),
      };
      const finding =
        (await firstFinding(tx, wrongStatements(publisherId, range, closed))) ??
        (await firstFinding(tx, missingStatements(publisherId, range, closed)));
      return { finding, to: range.to, taken: limit };
    });
    if (finding !== null) return finding;
    from = to;
  }
  return null;
}
