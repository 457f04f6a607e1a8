import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { defaultMaxPending } from './applications-input.ts';

/** Version of a group's terms, which never changes. */
export interface GroupTerms {
  version: number;
  text: string;
  /** SHA-256 of the text in UTF-8, as hexadecimal digits. */
  sha256: string;
  createdAt: Date;
}

/** Settings of a group for applications in the portal. */
export interface GroupApplications {
  isOpen: boolean;
  maxPending: number;
  /** Codes that no applicant gets, in lower case. */
  reservedCodes: string[];
  /** Current terms; null if the group has none yet. */
  terms: GroupTerms | null;
}

export const noApplications: GroupApplications = {
  isOpen: false,
  maxPending: defaultMaxPending,
  reservedCodes: [],
  terms: null,
};

interface Row {
  group_id: string;
  is_open: boolean;
  max_pending: number;
  reserved_codes: string[];
  version: number | null;
  body: string | null;
  sha256: string | null;
  created_at: Date | null;
}

/** Reads the settings of a publisher's groups that have any, or of one group. */
export async function readApplications(
  db: Db | Tx,
  publisherId: string,
  groupId: string | null = null,
): Promise<ReadonlyMap<string, GroupApplications>> {
  const { rows } = await sql<Row>`
    select s.group_id, s.is_open, s.max_pending, s.reserved_codes, t.version, t.body, t.sha256, t.created_at
    from group_applications s
    left join group_terms t
      on t.publisher_id = ${publisherId} and t.group_id = s.group_id and t.version = s.terms_version
    where s.publisher_id = ${publisherId} and (${groupId}::text is null or s.group_id = ${groupId})`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.group_id, toApplications(row)]));
}

const toApplications = (row: Row): GroupApplications => ({
  isOpen: row.is_open,
  maxPending: row.max_pending,
  reservedCodes: row.reserved_codes,
  terms: toTerms(row),
});

const toTerms = ({ version, body, sha256, created_at }: Row): GroupTerms | null =>
  version === null || body === null || sha256 === null || created_at === null
    ? null
    : { version, text: body, sha256, createdAt: created_at };
