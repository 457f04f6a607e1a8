import { sql } from 'kysely';
import { isReferenceOf, rangeOfReference, referenceOfRow } from '../../attributions/row-reference.ts';
import { checkCode } from '../../members/read/check-code.ts';
import { isCode } from '../../members/read/judge-code.ts';
import { findNamed } from '../../members/read/members-named.ts';
import { stands } from '../../members/standing.ts';
import type { Db } from '../../platform/database/database.ts';
import { endOfPrefix } from '../../platform/database/prefix.ts';
import { isRowId, toAttributionId } from '../../platform/ids.ts';

export const kinds = ['transaction', 'code', 'creator', 'payout', 'delivery', 'endpoint'] as const;

export interface Found {
  kind: (typeof kinds)[number];
  /** Id that is unique within its kind. */
  id: string;
  title: string;
  about: string;
  /** Groups of a purchase, of a code or of a creator. Absent for other kinds. */
  groupIds?: readonly string[];
  /** Line of a payout to show, such as `1042-00017`. */
  reference?: string;
}

export interface SearchQuery {
  publisherId: string;
  /** Group to check a code in; null if the publisher has no groups. */
  group: { groupId: string; name: string } | null;
  text: string;
}

const maxCreators = 8;
const maxMatches = 200;
const minNameLength = 2;
const maxPurchases = 5;
/** Shorter texts are the start of too many ids. */
const minIdLength = 3;
const maxPayouts = 5;
const maxPayoutDigits = 8;
/**
 * Searches a publisher: first for exact ids, then for the code, for payouts by number, for creators whose codes start with
 * the text or whose names contain it, and for purchases whose ids start with the text. Each part reads a few index entries,
 * or a limited number of names.
 */
export async function search(db: Db, query: SearchQuery): Promise<Found[]> {
  const { publisherId, text } = query;
  const parts = await Promise.all([
    findTransaction(db, publisherId, text),
    isRowId(text) ? findByRowId(db, publisherId, text) : [],
    findByReference(db, publisherId, text),
    findEndpoint(db, publisherId, text),
    isCode(text) ? describeCode(db, query) : [],
    findPayouts(db, publisherId, text),
    text.length >= minNameLength ? findCreators(db, publisherId, text) : [],
    text.length >= minIdLength ? findPurchasesStarting(db, publisherId, text) : [],
  ]);
  return parts.flat();
}

async function findTransaction(db: Db, publisherId: string, text: string): Promise<Found[]> {
  const rows = await db
    .selectFrom('attribution')
    .select(['code', 'status', 'split_index', 'group_id'])
    .where('publisher_id', '=', publisherId)
    .where('transaction_id', '=', text)
    .orderBy('split_index')
    .limit(4)
    .execute();
  const [first] = rows;
  if (first === undefined) return [];
  const codes = rows.length > 3 ? `${first.code} and others` : rows.map(({ code }) => code).join(', ');
  return [
    {
      kind: 'transaction',
      id: text,
      title: text,
      about: `Purchase · ${wordOf(first.status)}${codes}`,
      groupIds: [...new Set(rows.map(({ group_id }) => group_id))],
    },
  ];
}

/** Status of a row, unless it is the ordinary one. */
const wordOf = (status: string): string => (status === 'Normal' ? '' : `${status} · `);

/** Finds rows of purchases, payouts and events by the ids that the service assigned. */
async function findByRowId(db: Db, publisherId: string, id: string): Promise<Found[]> {
  const { rows } = await sql<Omit<Found, 'groupIds'> & { group_id: string | null }>`
    select 'transaction' as kind, transaction_id as id, transaction_id as title,
           'Purchase · row ' || attribution_id || case when status = 'Normal' then ' · ' else ' · ' || status || ' · ' end || code as about,
           group_id
    from attribution
    where publisher_id = ${publisherId} and attribution_id = ${id}::uuid
    union all
    select 'payout', batch_id::text, 'Payout ' || number, 'Payout · ' || status || ' · ' || currency, null
    from payout_batch
    where publisher_id = ${publisherId} and batch_id = ${id}::uuid
    union all
    select 'delivery', event_id::text, regexp_replace(kind, '^Test', ''), 'Webhook event ' || event_id, null
    from webhook_event
    where publisher_id = ${publisherId} and event_id = ${id}::uuid`.execute(db);
  return rows.map(({ group_id: groupId, ...found }) => ({
    ...found,
    ...(groupId !== null && { groupIds: [groupId] }),
  }));
}

/** Finds other purchases whose ids start with the text, in the order of their ids. */
async function findPurchasesStarting(db: Db, publisherId: string, text: string): Promise<Found[]> {
  const rows = await db
    .selectFrom('attribution')
    .select(['transaction_id', 'code', 'status', 'group_id'])
    .where('publisher_id', '=', publisherId)
    .where('transaction_id', '>', text)
    .where('transaction_id', '<', endOfPrefix(text))
    .where('split_index', '=', 0)
    .orderBy('transaction_id')
    .limit(maxPurchases)
    .execute();
  return rows.map(({ transaction_id: id, code, status, group_id: groupId }) => ({
    kind: 'transaction',
    id,
    title: id,
    about: `Purchase · ${wordOf(status)}${code}`,
    groupIds: [groupId],
  }));
}

/** Finds payouts whose number starts with the text, or the payout of a line's reference. */
async function findPayouts(db: Db, publisherId: string, text: string): Promise<Found[]> {
  const [, digits, line] = /^([1-9]\d{0,7})(-\d{5})?$/.exec(text) ?? [];
  if (digits === undefined) return [];
  const powers = line === undefined ? maxPayoutDigits - digits.length : 0;
  const ranges = Array.from({ length: powers + 1 }, (_, power) => [
    Number(digits) * 10 ** power,
    (Number(digits) + 1) * 10 ** power,
  ]);
  const { rows } = await sql<{ id: string; number: string; about: string }>`
    select found.id, found.number, found.about
    from unnest(${ranges.map(([from]) => from)}::bigint[], ${ranges.map(([, until]) => until)}::bigint[]) r (low, high)
    cross join lateral (
      select b.batch_id::text as id, b.number,
             'Payout · ' || b.status || ' · ' || b.currency || ' · ' || g.name as about
      from payout_batch b
      join creator_group g on g.publisher_id = ${publisherId} and g.group_id = b.group_id
      where b.publisher_id = ${publisherId} and b.number >= r.low and b.number < r.high
      order by b.number desc
      limit ${maxPayouts}
    ) found
    order by found.number <> ${digits}::bigint, found.number desc
    limit ${maxPayouts}`.execute(db);
  return rows.map(({ id, number, about }) => ({
    kind: 'payout',
    id,
    title: line === undefined ? `Payout ${number}` : text,
    about,
    ...(line !== undefined && { reference: text }),
  }));
}

/** Finds the row that a creator named to support (`row-reference.ts`). */
async function findByReference(db: Db, publisherId: string, text: string): Promise<Found[]> {
  const range = rangeOfReference(text);
  if (range === null) return [];
  const rows = await db
    .selectFrom('attribution')
    .select(['attribution_id', 'transaction_id', 'status', 'code', 'group_id'])
    .where('publisher_id', '=', publisherId)
    .where('attribution_id', '>=', toAttributionId(range.from))
    .where('attribution_id', '<', toAttributionId(range.until))
    .execute();
  return rows
    .filter(({ attribution_id }) => isReferenceOf(text, attribution_id))
    .map(({ attribution_id, transaction_id: id, status, code, group_id: groupId }) => ({
      kind: 'transaction',
      id,
      title: id,
      about: `Purchase · reference ${referenceOfRow(attribution_id)} · ${wordOf(status)}${code}`,
      groupIds: [groupId],
    }));
}

async function findEndpoint(db: Db, publisherId: string, text: string): Promise<Found[]> {
  const found = await db
    .selectFrom('webhook_endpoint')
    .select(['endpoint_id', 'is_enabled', 'failing_since'])
    .where('publisher_id', '=', publisherId)
    .where('endpoint_id', '=', text as never)
    .executeTakeFirst();
  if (found === undefined) return [];
  const state = found.failing_since !== null ? 'failing' : found.is_enabled ? 'on' : 'off';
  return [
    {
      kind: 'endpoint',
      id: found.endpoint_id,
      title: found.endpoint_id,
      about: `Webhook endpoint · ${state}`,
    },
  ];
}

/**
 * Describes the creator that a code credits in the group, or explains why the code is rejected. Skips unknown codes.
 */
async function describeCode(db: Db, { publisherId, group, text }: SearchQuery): Promise<Found[]> {
  if (group === null) return [];
  const { holder, credited, checks } = await checkCode(db, { publisherId, group }, text);
  if (holder === null) return [];
  const refused = checks.find(({ verdict }) => verdict === 'failed');
  const about =
    credited !== null
      ? `Code · credits ${credited.name} in ${group.name}`
      : `Code · rejected in ${group.name}: ${refused?.says ?? ''}`;
  return [{ kind: 'code', id: holder.memberId, title: holder.code, about, groupIds: [group.groupId] }];
}

async function findCreators(db: Db, publisherId: string, text: string): Promise<Found[]> {
  const matches = await findNamed(db, publisherId, text, maxMatches);
  const { rows } = await sql<{
    account_id: string;
    name: string;
    groups: string[];
    group_ids: string[];
    status: string;
  }>`
    select m.account_id, a.name, array_agg(distinct g.name) as groups, array_agg(distinct g.group_id) as group_ids,
           min(m.status) as status
    from membership m
    join creator_account a on a.account_id = m.account_id
    join creator_group g on g.publisher_id = ${publisherId} and g.group_id = m.group_id
    where m.publisher_id = ${publisherId} and m.membership_id = any(${matches}::uuid[]) and ${stands('m')}
    group by m.account_id, a.name
    order by m.account_id <> ${text}, strpos(' ' || lower(a.name), ' ' || lower(${text})) <> 1,
             strpos(' ' || lower(a.name), ' ' || lower(${text})) = 0, a.name, m.account_id
    limit ${maxCreators}`.execute(db);
  return rows.map(({ account_id: id, name, groups, group_ids: groupIds, status }) => ({
    kind: 'creator',
    id,
    title: name,
    about: `Creator · ${status} · ${groups.join(', ')}`,
    groupIds,
  }));
}
