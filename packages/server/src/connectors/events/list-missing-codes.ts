import { sql } from 'kysely';
import { resolveCodes } from '../../members/read/resolve-codes.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Programs } from '../../publishers/programs.ts';
import { resolveGroup } from '../../publishers/resolve-group.ts';
import type { Connector } from '../connector-record.ts';
import { keptMs } from './event-record.ts';

export interface MissingCode {
  /** Folded code. */
  code: string;
  /** Number of orders that named the code, at most 10,000 for all codes together. */
  orders: number;
  /** Time at which the oldest of these orders arrived. */
  oldestAt: Date;
  /** Time after which the oldest of these orders is not recorded anymore. */
  recordableUntil: Date;
  /** True if the code credits a creator now, so that the orders are about to be recorded. */
  isApproved: boolean;
}

const maxCodes = 50;
const maxOrders = 10_000;

/** Lists codes of orders that credited no creator in the last 30 days, the most used first. */
export async function listMissingCodes(
  { db, programs, now }: { db: Db; programs: Programs; now: Date },
  {
    publisherId,
    connectorId,
    groupId: ownGroupId,
  }: Pick<Connector, 'publisherId' | 'connectorId' | 'groupId'>,
): Promise<MissingCode[]> {
  const since = new Date(now.getTime() - keptMs);
  const { rows } = await sql<{ missing_code: string; orders: number; oldest_at: Date }>`
    select missing_code, count(*)::int as orders, min(received_at) as oldest_at
    from (
      select missing_code, received_at
      from connector_event
      where publisher_id = ${publisherId} and connector_id = ${connectorId} and missing_code is not null
        and status = 'Ignored' and received_at >= ${since}
      limit ${maxOrders}
    ) found
    group by missing_code
    order by orders desc, missing_code
    limit ${maxCodes}`.execute(db);
  const program = await programs.get(publisherId);
  if (rows.length === 0 || program === null) return [];
  const { groupId } = await resolveGroup(programs, publisherId, null, ownGroupId ?? undefined);
  const found = await resolveCodes(db, program, groupId, new Set(rows.map((row) => row.missing_code)));
  return rows.map(({ missing_code: code, orders, oldest_at: oldestAt }) => ({
    code,
    orders,
    oldestAt,
    recordableUntil: new Date(oldestAt.getTime() + keptMs),
    isApproved: found.has(code),
  }));
}
