import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { millionthsToPercent } from '../../platform/percent.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { GroupTerms } from './read-applications.ts';

/** Group that creators can apply to. */
export interface OpenGroup {
  publisherId: string;
  publisherName: string;
  groupId: string;
  groupName: string;
  /** Default share of the group's members, in percent. */
  revShare: number;
  maxPending: number;
  /** Codes that no applicant gets, in lower case. */
  reservedCodes: string[];
  terms: GroupTerms;
}

/**
 * Finds a group that creators can apply to. A sandbox pays no one, so no one can apply there.
 * @throws Refusal NotFound, the same for a group that is closed and for one that doesn't exist
 */
export async function findOpenGroup(
  db: Db | Tx,
  { publisherId, groupId }: { publisherId: string; groupId: string },
): Promise<OpenGroup> {
  const { rows } = await sql<{
    publisher_name: string;
    group_name: string;
    share_millionths: number;
    max_pending: number;
    reserved_codes: string[];
    version: number;
    body: string;
    sha256: string;
    created_at: Date;
  }>`
    select p.name as publisher_name, g.name as group_name, g.share_millionths, s.max_pending, s.reserved_codes,
           t.version, t.body, t.sha256, t.created_at
    from group_applications s
    join publisher p on p.publisher_id = ${publisherId}
    join creator_group g on g.publisher_id = ${publisherId} and g.group_id = s.group_id
    join group_terms t on t.publisher_id = ${publisherId} and t.group_id = s.group_id and t.version = s.terms_version
    where s.publisher_id = ${publisherId} and s.group_id = ${groupId} and s.is_open and p.sandbox_of is null`.execute(
    db,
  );
  const [row] = rows;
  if (row === undefined)
    throw new Refusal(
      'NotFound',
      'No applications are taken here. The publisher may have closed the page; ask it for the right link.',
    );
  return {
    publisherId,
    publisherName: row.publisher_name,
    groupId,
    groupName: row.group_name,
    revShare: millionthsToPercent(row.share_millionths),
    maxPending: row.max_pending,
    reservedCodes: row.reserved_codes,
    terms: { version: row.version, text: row.body, sha256: row.sha256, createdAt: row.created_at },
  };
}
