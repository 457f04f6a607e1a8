import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { VerificationId } from '../../../platform/database/tables.generated.ts';
import { isRowId } from '../../../platform/ids.ts';
import type { Page, Pages } from '../../../platform/page.ts';
import { Refusal } from '../../../platform/refusal.ts';
import type { Coverage } from '../checks/check.ts';

export type VerificationStatus = 'Waiting' | 'Running' | 'Sound' | 'NotExplained' | 'Failed';

export interface Verification {
  verificationId: VerificationId;
  status: VerificationStatus;
  looksAtAll: boolean;
  requestedAt: Date;
  requestedBy: { kind: string; id: string; name: string };
  startedAt: Date | null;
  endedAt: Date | null;
  /** Number of rows read so far and an estimate of the total; null until known. */
  rowsRead: number;
  ofRows: number | null;
  /** Counts of compared items; null unless the status is Sound. */
  looked: Coverage | null;
  /** First difference found: the broken rule, the place, and some of the rows involved. */
  finding: { rule: string; place: string; rows: readonly string[] } | null;
  /** Reason for a Failed verification; null for any other status. */
  failure: string | null;
}

/** @throws Refusal when the verification doesn't exist */
export async function getVerification(db: Db, publisherId: string, named: string): Promise<Verification> {
  const [found] = isRowId(named)
    ? await read(db, publisherId, sql`and verification_id = ${named}::uuid`)
    : [];
  if (found === undefined)
    throw new Refusal('NotFound', `Publisher ${publisherId} has no ledger verification ${named}.`);
  return found;
}

/**
 * Lists one page of a publisher's verifications, newest first.
 * @throws Refusal InvalidCursor
 */
export async function listVerifications(
  db: Db,
  pages: Pages,
  publisherId: string,
  { cursor, size }: { cursor: string | null; size: number },
): Promise<Page<Verification>> {
  const listing = ['ledger verifications', publisherId];
  const [before = null] = pages.after(listing, cursor) ?? [];
  const rows = await read(
    db,
    publisherId,
    sql`
      ${before === null ? sql`` : sql`and verification_id < ${before}::uuid`}
      order by verification_id desc
      limit ${size + 1}`,
  );
  return pages.cut(listing, rows, size, ({ verificationId }) => [verificationId]);
}

interface Row {
  verification_id: VerificationId;
  status: VerificationStatus;
  looks_at_all: boolean;
  requested_at: Date;
  requested_by_kind: string;
  requested_by_id: string;
  requested_by_name: string;
  started_at: Date | null;
  ended_at: Date | null;
  rows_read: bigint;
  of_rows: bigint | null;
  looked: Coverage | null;
  broken_rule: string | null;
  broken_place: string | null;
  broken_rows: string[] | null;
  failure: string | null;
}

async function read(db: Db, publisherId: string, rest: RawBuilder<unknown>): Promise<Verification[]> {
  const { rows } = await sql<Row>`
    select verification_id, status, looks_at_all, requested_at, requested_by_kind, requested_by_id, requested_by_name,
           started_at, ended_at, rows_read, of_rows, looked, broken_rule, broken_place, broken_rows, failure
    from ledger_verification
    where publisher_id = ${publisherId}
    ${rest}`.execute(db);
  return rows.map(toVerification);
}

const toVerification = (row: Row): Verification => ({
  verificationId: row.verification_id,
  status: row.status,
  looksAtAll: row.looks_at_all,
  requestedAt: row.requested_at,
  requestedBy: { kind: row.requested_by_kind, id: row.requested_by_id, name: row.requested_by_name },
  startedAt: row.started_at,
  endedAt: row.ended_at,
  rowsRead: Number(row.rows_read),
  ofRows: row.of_rows === null ? null : Number(row.of_rows),
  looked: row.looked,
  finding:
    row.broken_rule === null
      ? null
      : { rule: row.broken_rule, place: row.broken_place ?? '', rows: row.broken_rows ?? [] },
  failure: row.failure,
});
