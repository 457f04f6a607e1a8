import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { readMoment } from '../../platform/database/moment.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import type { Page, Pages } from '../../platform/page.ts';
import { laterBy, readAheadMs } from '../../publishers/publisher-time.ts';
import { isClearanceEnding } from './ending-clearances.ts';
import { type GateKind, isGateOpenAt } from './gates.ts';
import { type Gate, readGates } from './read-gates.ts';

export interface GateFilter {
  publisherId: string;
  /** Null for both kinds. */
  kind: GateKind | null;
  /** Null for all creators. */
  memberId: AccountId | null;
  /** True to list only tax clearances that end soon and aren't extended by another one. */
  isEnding: boolean;
}

/**
 * Lists one page of the gates that are open, now or later, newest first.
 * @throws Refusal InvalidCursor
 */
export async function listGates(
  db: Db,
  pages: Pages,
  { publisherId, kind, memberId, isEnding }: GateFilter,
  { cursor, size }: { cursor: string | null; size: number },
): Promise<Page<Gate>> {
  const listing = ['gates', publisherId, kind, memberId, isEnding];
  const [before = null] = pages.after(listing, cursor) ?? [];
  const clockAt = laterBy(await readMoment(db), await readAheadMs(db, publisherId));
  const gates = await readGates(
    db,
    publisherId,
    sql`${isGateOpenAt(clockAt)}
      ${kind === null ? sql`` : sql`and g.kind = ${kind}`}
      ${memberId === null ? sql`` : sql`and g.account_id = ${memberId}`}
      ${isEnding ? sql`and ${isClearanceEnding(publisherId, clockAt)}` : sql``}
      ${before === null ? sql`` : sql`and g.gate_id < ${before}::uuid`}
    order by g.gate_id desc
    limit ${size + 1}`,
  );
  return pages.cut(listing, gates, size, ({ gateId }) => [gateId]);
}
