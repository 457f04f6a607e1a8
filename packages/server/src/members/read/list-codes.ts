import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import type { Page, Pages } from '../../platform/page.ts';
import type { MemberStatus } from '../lock-members.ts';
import { stands } from '../standing.ts';
import type { CodeHolder } from './judge-code.ts';
import { globalThatMayBeRefused, ownMayBeRefused } from './maybe-refused.ts';
import { foldCode } from './resolve-codes.ts';

/** Why a code credits nobody in a group: itself, its creator, or a code of the group that goes before it. */
export const codeRefusals = ['code', 'member', 'shadowed'] as const;

export type CodeRefusal = (typeof codeRefusals)[number];

/** A code as it stands in one group: a global one is in every group of its creator. */
export interface ListedCode
  extends Pick<CodeHolder, 'memberId' | 'name' | 'groupId' | 'groupName' | 'scope' | 'code' | 'status'> {
  isPrimary: boolean;
  isGenerated: boolean;
  /** Since when its creator has it. */
  since: Date;
  /** Null when purchases with it are credited. */
  refusedFor: CodeRefusal | null;
}

export interface CodeFilter {
  publisherId: string;
  /** Of every group when absent. */
  groupId?: string | undefined;
  /** What the code begins with. */
  beginning?: string | undefined;
  /** Whether it credits its creator now; both when absent. */
  credits?: boolean | undefined;
}

/**
 * One page of a publisher's codes, in the order of their letters, each once for every group that it is in.
 * @param size 1 … 1,000
 * @throws Refusal InvalidCursor
 */
export async function listCodes(
  db: Db,
  pages: Pages,
  filter: CodeFilter,
  { cursor, size }: { cursor: string | null; size: number },
): Promise<Page<ListedCode>> {
  const { publisherId, groupId, beginning, credits } = filter;
  const folded = beginning === undefined ? null : foldCode(beginning);
  const listing = ['codes', publisherId, groupId ?? null, folded, credits ?? null];
  const after = pages.after(listing, cursor);
  const hasFew = await hasFewMembers(db, filter);
  const found = { publisherId, groupId, folded, credits, after, hasFew, most: size + 1 };
  const { rows } = await sql<CodeRow>`
    select found.code_folded, found.code, found.is_global, found.is_primary, found.is_generated, found.created_at,
           found.refused_for, holder.account_id, holder.name, holder.group_id, holder.group_name, holder.status
    from ((${ownCodes(found)}) union all (${globalCodes(found)})) found
    cross join lateral (
      select m.account_id, a.name, m.group_id, g.name as group_name, m.status
      from membership m
      join creator_account a on a.account_id = m.account_id
      join creator_group g on g.publisher_id = ${publisherId} and g.group_id = m.group_id
      where m.publisher_id = ${publisherId} and m.membership_id = found.membership_id
      offset 0
    ) holder
    order by found.code_folded, found.group_id, found.is_global
    limit ${size + 1}`.execute(db);
  const page = pages.cut(listing, rows, size, (row) => [
    row.code_folded,
    row.group_id,
    row.is_global ? 'global' : 'group',
  ]);
  return { rows: page.rows.map(toCode), nextCursor: page.nextCursor };
}

interface Found {
  publisherId: string;
  groupId: string | undefined;
  folded: string | null;
  credits: boolean | undefined;
  after: readonly string[] | null;
  /** Whether the members, of the group or of all, are few enough to be gone through. */
  hasFew: boolean;
  most: number;
}

/** The codes of so many members are collected in some milliseconds. */
const fewMembers = 5_000;
/** Those that credit nobody are rare, and met late by who walks: for them more are gone through, in sets. */
const fewForRare = 25_000;

async function hasFewMembers(db: Db, { publisherId, groupId, credits }: CodeFilter): Promise<boolean> {
  const few = credits === false ? fewForRare : fewMembers;
  const inGroup = groupId === undefined ? sql`` : sql`and m.group_id = ${groupId}`;
  const { rows } = await sql<{ counted: number }>`
    select count(*)::integer as counted
    from (select 1 from membership m where m.publisher_id = ${publisherId} ${inGroup} limit ${few + 1}) looked`.execute(
    db,
  );
  return (rows[0]?.counted ?? 0) <= few;
}

/*
 * `offset 0` keeps the planner from reading all members of a publisher for the few of a page: it takes each publisher to
 * have one row in two hundred.
 */

/** The first codes of each group's own: a range of the key of each, as there is no index across groups. */
function ownCodes({ publisherId, groupId, credits, most, hasFew, ...rest }: Found): RawBuilder<unknown> {
  const refusedFor = sql`
    case when not own.is_approved then 'code' when m.status <> 'Approved' then 'member' end`;
  return sql`
    select first.*
    from creator_group g
    cross join lateral (
      select own.code_folded, own.code, own.group_id, own.membership_id, false as is_global, own.is_primary,
             own.is_generated, own.created_at, ${refusedFor} as refused_for
      from (
        select own.code_folded
        from group_code own
        where own.publisher_id = ${publisherId} and own.group_id = g.group_id
          ${placed({ ...rest, code: sql`own.code_folded`, place: sql`own.code_folded, own.group_id, false` })}
          ${credits === false && hasFew ? sql`and ${ownMayBeRefused(publisherId)}` : sql``}
        order by own.code_folded
        offset 0
      ) key
      cross join lateral (
        select own.*
        from group_code own
        where own.publisher_id = ${publisherId} and own.group_id = g.group_id and own.code_folded = key.code_folded
        offset 0
      ) own
      cross join lateral (
        select m.status
        from membership m
        where m.publisher_id = ${publisherId} and m.membership_id = own.membership_id
        offset 0
      ) m
      where true ${thatCredits(credits, refusedFor)}
      order by key.code_folded
      limit ${most}
    ) first
    where g.publisher_id = ${publisherId} ${groupId === undefined ? sql`` : sql`and g.group_id = ${groupId}`}`;
}

/**
 * The first global codes of creators who are members. The table has those of all publishers: it is walked along by who
 * has many members, and meets one of theirs soon; the codes of few members are collected instead.
 */
function globalCodes({ publisherId, groupId, credits, most, hasFew, ...rest }: Found): RawBuilder<unknown> {
  const refusedFor = sql`
    case when not c.is_approved then 'code'
         when exists (
           select 1
           from group_code own
           where own.publisher_id = ${publisherId} and own.group_id = m.group_id
             and own.code_folded = c.code_folded and own.is_approved
           offset 0
         ) then 'shadowed'
         when m.status <> 'Approved' then 'member' end`;
  const codes = (from: RawBuilder<unknown>) => sql`
    select c.code_folded, c.code, c.account_id, c.is_primary, c.is_generated, c.is_approved, c.created_at
    from ${from} ${placed({ ...rest, code: sql`c.code_folded`, place: null })}
    offset 0`;
  const stand = sql`${stands('m')} ${groupId === undefined ? sql`` : sql`and m.group_id = ${groupId}`}`;
  // What else is asked of an account's memberships leads to an index of all of the publisher's, before these were counted.
  const withMembers = sql`
    cross join lateral (
      select m.membership_id, m.account_id, m.group_id, m.status
      from (
        select m.*
        from membership m
        where m.publisher_id = ${publisherId} and m.account_id = c.account_id
        offset 0
      ) m
      where ${stand}
    ) m`;
  const joined = !hasFew
    ? sql`global_code c ${withMembers}`
    : credits === false
      ? sql`(${codes(sql`(${globalThatMayBeRefused(publisherId, groupId)}) c where true`)}) c ${withMembers}`
      : sql`
          (
            select m.membership_id, m.account_id, m.group_id, m.status
            from membership m
            where m.publisher_id = ${publisherId} and ${stand}
            offset 0
          ) m
          cross join lateral (${codes(sql`global_code c where c.account_id = m.account_id`)}) c`;
  return sql`
    select c.code_folded, c.code, m.group_id, m.membership_id, true, c.is_primary, c.is_generated, c.created_at,
           ${refusedFor}
    from ${joined}
    where true ${placed({ ...rest, code: sql`c.code_folded`, place: sql`c.code_folded, m.group_id, true` })}
      ${thatCredits(credits, refusedFor)}
    order by c.code_folded, m.group_id
    limit ${most}`;
}

/** What comes after every text with a prefix, in the order of bytes. */
const last = '\u{10ffff}';

interface Placed extends Pick<Found, 'folded' | 'after'> {
  code: RawBuilder<unknown>;
  /** Null where the code alone is looked at. */
  place: RawBuilder<unknown> | null;
}

/** Where the page is: the codes with the beginning, and those after the cursor. */
function placed({ folded, after, code, place }: Placed): RawBuilder<unknown> {
  const [afterCode = '', afterGroup = '', afterScope = ''] = after ?? [];
  return sql`
    ${folded === null ? sql`` : sql`and ${code} >= ${folded} and ${code} < ${folded + last}`}
    ${after === null ? sql`` : sql`and ${code} >= ${afterCode}`}
    ${
      after === null || place === null
        ? sql``
        : sql`and (${place}) > (${afterCode}, ${afterGroup}, ${afterScope === 'global'}::boolean)`
    }`;
}

const thatCredits = (credits: boolean | undefined, refusedFor: RawBuilder<unknown>): RawBuilder<unknown> =>
  credits === undefined
    ? sql``
    : credits
      ? sql`and ${refusedFor} is null`
      : sql`and ${refusedFor} is not null`;

interface CodeRow {
  code_folded: string;
  code: string;
  is_global: boolean;
  is_primary: boolean;
  is_generated: boolean;
  created_at: Date;
  refused_for: CodeRefusal | null;
  account_id: AccountId;
  name: string;
  group_id: string;
  group_name: string;
  status: MemberStatus;
}

const toCode = (row: CodeRow): ListedCode => ({
  code: row.code,
  memberId: row.account_id,
  name: row.name,
  groupId: row.group_id,
  groupName: row.group_name,
  scope: row.is_global ? 'global' : 'group',
  status: row.status,
  isPrimary: row.is_primary,
  isGenerated: row.is_generated,
  since: row.created_at,
  refusedFor: row.refused_for,
});
