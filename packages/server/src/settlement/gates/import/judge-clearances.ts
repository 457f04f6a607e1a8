import { sql } from 'kysely';
import { findCreators } from '../../../members/read/find-creators.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { AccountId } from '../../../platform/database/tables.generated.ts';
import { isGateOpenAt } from '../gates.ts';
import { type Gate, readGates } from '../read-gates.ts';
import type { WantedClearance } from './parse-clearances.ts';

export const clearanceVerdicts = ['change', 'unchanged', 'unknown', 'duplicate', 'invalid'] as const;

/** Verdict on a line. Only the verdict `change` sets a clearance. */
export interface ClearanceVerdict {
  line: number;
  /** Creator as written in the line. */
  memberId: string;
  verdict: (typeof clearanceVerdicts)[number];
  /** Account that the clearance is for; null if the creator is unknown. */
  accountId: AccountId | null;
  name: string | null;
  from: Date | null;
  until: Date | null;
  note: string;
  /** Reason for a verdict other than `change` and `unchanged`; otherwise null. */
  problem: string | null;
}

/**
 * Returns a verdict on each line, in the same order. Creators are found only by id, never by name. A claimed member's
 * id means the creator who claimed the member.
 * @param clockAt current time on the publisher's clock
 */
export async function judgeClearances(
  db: Db | Tx,
  publisherId: string,
  wanted: readonly WantedClearance[],
  clockAt: Date,
): Promise<ClearanceVerdict[]> {
  const creators = await findCreators(
    db,
    publisherId,
    wanted.map(({ memberId }) => memberId),
  );
  const accountOf = ({ memberId }: WantedClearance): string => creators.get(memberId)?.accountId ?? memberId;
  const counts = new Map<string, number>();
  for (const each of wanted) counts.set(accountOf(each), (counts.get(accountOf(each)) ?? 0) + 1);
  const open = await readOpen(
    db,
    publisherId,
    [...creators.values()].map(({ accountId }) => accountId),
    clockAt,
  );
  return wanted.map((each): ClearanceVerdict => {
    const { line, memberId, from, until, note, problem } = each;
    const found = creators.get(memberId);
    const judged = {
      line,
      memberId,
      accountId: found?.accountId ?? null,
      name: found?.name ?? null,
      from,
      until,
      note,
    };
    const not = (verdict: ClearanceVerdict['verdict'], why: string): ClearanceVerdict => ({
      ...judged,
      verdict,
      problem: why,
    });
    if (problem !== null) return not('invalid', problem);
    if (found === undefined) return not('unknown', `The publisher has no creator with the id ${memberId}.`);
    if ((counts.get(accountOf(each)) ?? 0) > 1)
      return not('duplicate', 'The creator is in the file more than once. Keep only the line that applies.');
    if (until !== null && until <= clockAt) return not('invalid', 'The last day (until) has passed.');
    if (until !== null && from !== null && until <= from)
      return not('invalid', 'The last day (until) is before the first day (from).');
    const isCovered = open.get(found.accountId)?.some((gate) => covers(gate, each, clockAt)) ?? false;
    return { ...judged, verdict: isCovered ? 'unchanged' : 'change', problem: null };
  });
}

/** Returns whether a clearance that is already set contains the wanted period. */
const covers = (gate: Gate, { from, until }: WantedClearance, clockAt: Date): boolean =>
  gate.from <= (from ?? clockAt) && (gate.until === null || (until !== null && gate.until >= until));

async function readOpen(
  db: Db | Tx,
  publisherId: string,
  accountIds: readonly AccountId[],
  clockAt: Date,
): Promise<ReadonlyMap<AccountId, Gate[]>> {
  const gates = await readGates(
    db,
    publisherId,
    sql`g.account_id = any(${[...accountIds]}::text[]) and g.kind = 'tax' and ${isGateOpenAt(clockAt)}`,
  );
  return Map.groupBy(gates, ({ memberId }) => memberId);
}
