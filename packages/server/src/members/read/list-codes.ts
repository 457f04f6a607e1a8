import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { endOfPrefix } from '../../platform/database/prefix.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import type { Page, Pages } from '../../platform/page.ts';
import type { MemberStatus } from '../lock-members.ts';
import { stands } from '../standing.ts';
import { type CodeRefusal, globalCodeRefusal, groupCodeRefusal } from './code-refusals.ts';
import type { CodeHolder } from './judge-code.ts';
import { globalThatMayBeRefused, ownMayBeRefused } from './maybe-refused.ts';
import { foldCode } from './resolve-codes.ts';

/** Code in one group. A global code is listed once for each of its creator's groups. */
export interface ListedCode
  extends Pick<CodeHolder, 'memberId' | 'name' | 'groupId' | 'groupName' | 'scope' | 'code' | 'status'> {
  isPrimary: boolean;
  isGenerated: boolean;
  /** Time when the creator received the code. */
  since: Date;
  /** Reason purchases with the code aren't credited; null if they are. */
  refusedFor: CodeRefusal | null;
}

export interface CodeFilter {
  publisherId: string;
  /** Group to list; all groups if absent. */
  groupId?: string | undefined;
  /** Prefix of the listed codes. */
  beginning?: string | undefined;
  /** True to list only codes that credit their creator; false to list only those that don't; all codes if absent. */
  credits?: boolean | undefined;
}

/**
 * Returns one page of a publisher's codes in alphabetical order. A code listed in several groups appears once for each.
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
  const query = { publisherId, groupId, folded, credits, after, hasFew, limit: size + 1 };
  const { rows } = await sql<CodeRow>`
    select found.code_folded, found.code, found.is_global, found.is_primary, found.is_generated, found.created_at,
           found.refused_for, holder.account_id, holder.name, holder.group_id, holder.group_name, holder.status
    from ((${groupCodes(query)}) union all (${globalCodes(query)})) found
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

interface CodeQuery {
  publisherId: string;
  groupId: string | undefined;
  folded: string | null;
  credits: boolean | undefined;
  after: readonly string[] | null;
  /** True if the publisher or group has few enough members to collect the codes of all of them. */
  hasFew: boolean;
  limit: number;
}

/** Maximum number of members whose codes are collected. Collecting that many takes a few milliseconds. */
const fewMembers = 5_000;
/**
 * Limit used instead of `fewMembers` for a list of codes that don't credit a member. They are rare, so a scan in key
 * order would take a long time to find them.
 */
const fewForRare = 25_000;

async function hasFewMembers(db: Db, { publisherId, groupId, credits }: CodeFilter): Promise<boolean> {
  const few = credits === false ? fewForRare : fewMembers;
  const inGroup = groupId === undefined ? sql`` : sql`and m.group_id = ${groupId}`;
  const { rows } = await sql<{ counted: number }>`
    select count(*)::integer as counted
    from (select 1 from membership m where m.publisher_id = ${publisherId} ${inGroup} limit ${few + 1}) counted`.execute(
    db,
  );
  return (rows[0]?.counted ?? 0) <= few;
}

/*
 * `offset 0` keeps the planner from reading all of a publisher's members for the few on a page. Without it, the planner
 * assumes that each publisher owns one row in two hundred.
 */

/**
 * Selects the first group codes after the cursor. Reads a range of the key for each group, because no index spans
 * groups.
 */
function groupCodes({
  publisherId,
  groupId,
  credits,
  limit,
  hasFew,
  ...rest
}: CodeQuery): RawBuilder<unknown> {
  return sql`
    select first.*
    from creator_group g
    cross join lateral (
      select own.code_folded, own.code, own.group_id, own.membership_id, false as is_global, own.is_primary,
             own.is_generated, own.created_at, ${groupCodeRefusal} as refused_for
      from (
        select own.code_folded
        from group_code own
        where own.publisher_id = ${publisherId} and own.group_id = g.group_id
          ${inPage({ ...rest, code: sql`own.code_folded`, position: sql`own.code_folded, own.group_id, false` })}
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
      where true ${creditFilter(credits, groupCodeRefusal)}
      order by key.code_folded
      limit ${limit}
    ) first
    where g.publisher_id = ${publisherId} ${groupId === undefined ? sql`` : sql`and g.group_id = ${groupId}`}`;
}

/**
 * Selects the first global codes after the cursor whose creators are members. The table contains all publishers' codes.
 * If there are many members, a scan in key order soon finds some of their codes. If there are few, their codes are
 * collected instead.
 */
function globalCodes({
  publisherId,
  groupId,
  credits,
  limit,
  hasFew,
  ...rest
}: CodeQuery): RawBuilder<unknown> {
  const refusedFor = globalCodeRefusal(publisherId);
  const codes = (from: RawBuilder<unknown>) => sql`
    select c.code_folded, c.code, c.account_id, c.is_primary, c.is_generated, c.is_approved, c.created_at
    from ${from} ${inPage({ ...rest, code: sql`c.code_folded`, position: null })}
    offset 0`;
  const isListed = sql`${stands('m')} ${groupId === undefined ? sql`` : sql`and m.group_id = ${groupId}`}`;
  // The other conditions are outside the inner query, where a lack of statistics would make the planner scan all of the
  // publisher's members for them.
  const withMembers = sql`
    cross join lateral (
      select m.membership_id, m.account_id, m.group_id, m.status
      from (
        select m.*
        from membership m
        where m.publisher_id = ${publisherId} and m.account_id = c.account_id
        offset 0
      ) m
      where ${isListed}
    ) m`;
  const joined = !hasFew
    ? sql`global_code c ${withMembers}`
    : credits === false
      ? sql`(${codes(sql`(${globalThatMayBeRefused(publisherId, groupId)}) c where true`)}) c ${withMembers}`
      : sql`
          (
            select m.membership_id, m.account_id, m.group_id, m.status
            from membership m
            where m.publisher_id = ${publisherId} and ${isListed}
            offset 0
          ) m
          cross join lateral (${codes(sql`global_code c where c.account_id = m.account_id`)}) c`;
  return sql`
    select c.code_folded, c.code, m.group_id, m.membership_id, true, c.is_primary, c.is_generated, c.created_at,
           ${refusedFor}
    from ${joined}
    where true ${inPage({ ...rest, code: sql`c.code_folded`, position: sql`c.code_folded, m.group_id, true` })}
      ${creditFilter(credits, refusedFor)}
    order by c.code_folded, m.group_id
    limit ${limit}`;
}

interface PageColumns extends Pick<CodeQuery, 'folded' | 'after'> {
  code: RawBuilder<unknown>;
  /** Columns to sort by; null if only the code is available. */
  position: RawBuilder<unknown> | null;
}

/** Builds the conditions of a page: the prefix of the codes, and the position after the cursor. */
function inPage({ folded, after, code, position }: PageColumns): RawBuilder<unknown> {
  const [afterCode = '', afterGroup = '', afterScope = ''] = after ?? [];
  return sql`
    ${folded === null ? sql`` : sql`and ${code} >= ${folded} and ${code} < ${endOfPrefix(folded)}`}
    ${after === null ? sql`` : sql`and ${code} >= ${afterCode}`}
    ${
      after === null || position === null
        ? sql``
        : sql`and (${position}) > (${afterCode}, ${afterGroup}, ${afterScope === 'global'}::boolean)`
    }`;
}

const creditFilter = (credits: boolean | undefined, refusedFor: RawBuilder<unknown>): RawBuilder<unknown> =>
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
