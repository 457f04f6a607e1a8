import { type RawBuilder, sql } from 'kysely';
import { lastRowIdOf } from '../../attributions/recording-id.ts';
import type { Db } from '../../platform/database/database.ts';
import type { MembershipId, RecordingId } from '../../platform/database/tables.generated.ts';
import { aheadMsAt, laterBy } from '../../publishers/publisher-time.ts';
import { isPaymentIn } from '../payouts/month/entries-of-month.ts';
import { readByKey } from '../payouts/month/read-by-key.ts';
import type { Separately } from '../payouts/month/read-statements.ts';
import { type PurchaseRow, purchaseColumns, toArithmetic } from './purchase-of-line.ts';
import type { Statement } from './statement.ts';
import type { StatementLine } from './statement-line.ts';

export interface LinesOf {
  statement: Statement;
  membershipId: MembershipId;
  separately: Separately;
}

const maxEntries = 100;
/** Number of rows that one read returns at most, unless a single posting has more. */
const maxRows = 20_000;
/** Age of a purchase from which its posting's rows are found by their ids instead of by their dates. */
const oldMs = 86_400_000;
/** Time by which a purchase may be dated later than its posting, if its rows are found by their dates. */
const lateMs = 300_000;

/** Yields the purchases and rewards that a member earned in a month, by posting, a page at a time. */
export async function* readEarned(db: Db, lines: LinesOf): AsyncGenerator<StatementLine[]> {
  const { separately } = lines;
  for (let after: string | null = null, limit = maxEntries / 4; ; ) {
    const from: string | null = after;
    const entries: Entry[] = await separately(() => readByKey(db, entryQuery(lines, from, limit)));
    const rows = await separately(() => readRows(db, lines, entries));
    if (rows === null) {
      limit = Math.max(1, Math.floor(limit / 2)); // too many rows at once
      continue;
    }
    yield entries.flatMap((entry) => toLines(entry, rows.get(entry.subject_id) ?? []));
    const last = entries.at(-1);
    if (last === undefined || entries.length < limit) return;
    after = last.subject_id;
    limit = Math.min(maxEntries, limit * 2);
  }
}

/** An entry without rows, such as that of a reward, is one line. */
function toLines(entry: Entry, rows: readonly PurchaseRow[]): StatementLine[] {
  const line = {
    at: laterBy(entry.created_at, Number(entry.ahead_ms)),
    kind: entry.is_reward ? 'bounties' : 'earned',
  } as const;
  if (rows.length === 0) return [{ ...line, rowId: null, amountMinor: BigInt(entry.amount), purchase: null }];
  return rows.map((row) => ({
    ...line,
    rowId: row.attribution_id,
    amountMinor: row.share_minor,
    purchase: toArithmetic(row),
  }));
}

interface Entry {
  subject_id: string;
  amount: string;
  created_at: Date;
  /** Milliseconds by which the publisher's clock was ahead. */
  ahead_ms: bigint;
  is_reward: boolean;
  /** Null for an entry that isn't of a posting. */
  earliest_date: Date | null;
  recording_ids: RecordingId[] | null;
}

function entryQuery(
  { statement, membershipId }: LinesOf,
  after: string | null,
  limit: number,
): RawBuilder<Entry> {
  const { publisherId, currency, entriesFrom, entriesBefore } = statement;
  const inMonth = isPaymentIn({
    membershipId: sql`${membershipId}::uuid`,
    currency: sql`${currency}`,
    from: entriesFrom,
    before: entriesBefore,
  });
  return sql<Entry>`
    select e.subject_id, e.amount_minor::text as amount, e.created_at,
           ${aheadMsAt(publisherId, sql`e.created_at`)} as ahead_ms, s.earliest_date,
           s.recording_ids::text[] as recording_ids,
           s.posting_id is null and exists (
             select 1
             from reward_payment w
             where w.publisher_id = ${publisherId} and w.progress_reward_id = e.subject_id) as is_reward
    from (
      select e.subject_id, e.amount_minor, e.created_at
      from ledger_entry e
      where e.publisher_id = ${publisherId} and ${inMonth} ${after === null ? sql`` : sql`and e.subject_id > ${after}::uuid`}
      order by e.subject_id
      limit ${limit}
    ) e
    left join lateral (
      select posting_id, earliest_date, recording_ids
      from posting
      where publisher_id = ${publisherId} and posting_id = e.subject_id
      offset 0
    ) s on true
    order by e.subject_id`;
}

/**
 * Reads the member's rows in postings. A posting usually has rows of many members with dates of the last seconds, so they are
 * found by member and date. The rows of a posting with old purchases are found by their ids, among all of its rows.
 * @returns null if there are too many rows
 */
async function readRows(
  db: Db,
  lines: LinesOf,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, PurchaseRow[]> | null> {
  const postings = entries.filter(({ recording_ids }) => recording_ids !== null);
  const isRecent = ({ earliest_date, created_at }: Entry): boolean =>
    earliest_date !== null && earliest_date > laterBy(created_at, -oldMs);
  const limit = entries.length === 1 ? null : maxRows;
  const recent = postings.filter(isRecent);
  const found = new Map<string, PurchaseRow[]>(postings.map(({ subject_id }) => [subject_id, []]));
  if (recent.length > 0) {
    const rows = await readByKey(db, byDate(lines, recent, limit));
    if (rows.length === limit) return null;
    const postingOf = new Map(
      recent.flatMap(({ subject_id, recording_ids }) => (recording_ids ?? []).map((id) => [id, subject_id])),
    );
    for (const row of rows) {
      const posting = postingOf.get(`${row.attribution_id.slice(0, 32)}0000` as RecordingId);
      if (posting !== undefined) found.get(posting)?.push(row);
    }
  }
  const isComplete = (entry: Entry): boolean =>
    (found.get(entry.subject_id) ?? []).reduce((sum, row) => sum + row.share_minor, 0n) ===
    BigInt(entry.amount);
  for (const entry of postings.filter((each) => !isRecent(each) || !isComplete(each)))
    found.set(entry.subject_id, await readByKey(db, byId(lines, entry)));
  for (const rows of found.values())
    rows.sort((one, other) => (one.attribution_id < other.attribution_id ? -1 : 1));
  return found;
}

function byDate(
  { statement: { publisherId, currency }, membershipId }: LinesOf,
  recent: readonly Entry[],
  limit: number | null,
): RawBuilder<PurchaseRow> {
  const from = new Date(Math.min(...recent.map(({ earliest_date }) => Number(earliest_date))));
  const to = laterBy(new Date(Math.max(...recent.map(({ created_at }) => Number(created_at)))), lateMs);
  return sql<PurchaseRow>`
    select ${purchaseColumns}
    from attribution a
    where a.publisher_id = ${publisherId} and a.membership_id = ${membershipId}::uuid
      and a.transaction_date >= ${from} and a.transaction_date <= ${to} and a.currency = ${currency} and not a.is_test
    ${limit === null ? sql`` : sql`limit ${limit}`}`;
}

const byId = (
  { statement: { publisherId, currency }, membershipId }: LinesOf,
  { recording_ids }: Entry,
): RawBuilder<PurchaseRow> => sql<PurchaseRow>`
  select ${purchaseColumns}
  from unnest(${recording_ids}::uuid[], ${(recording_ids ?? []).map(lastRowIdOf)}::uuid[]) as recording (first_id, last_id)
  cross join lateral (
    select *
    from attribution
    where publisher_id = ${publisherId} and attribution_id between recording.first_id and recording.last_id
      and membership_id = ${membershipId}::uuid and currency = ${currency} and not is_test
    offset 0
  ) a`;
