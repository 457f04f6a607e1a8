import { sql } from 'kysely';
import { isReferenceOf, rangeOfReference, referenceOfRow } from '../../attributions/row-reference.ts';
import { checkCode } from '../../members/read/check-code.ts';
import { isCode } from '../../members/read/judge-code.ts';
import { findNamed } from '../../members/read/members-named.ts';
import { stands } from '../../members/standing.ts';
import type { Db } from '../../platform/database/database.ts';
import { isRowId, toAttributionId } from '../../platform/ids.ts';

export const kinds = ['transaction', 'code', 'creator', 'payout', 'delivery', 'endpoint'] as const;

export interface Found {
  kind: (typeof kinds)[number];
  /** Id that is unique within its kind. */
  id: string;
  title: string;
  about: string;
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

/**
 * Searches a publisher: first for exact ids, then for the code, then for creators whose codes or names start with
 * the text. Each part reads a few index entries.
 */
export async function search(db: Db, query: SearchQuery): Promise<Found[]> {
  const { publisherId, text } = query;
  const parts = await Promise.all([
    findTransaction(db, publisherId, text),
    isRowId(text) ? findByRowId(db, publisherId, text) : [],
    findByReference(db, publisherId, text),
    findEndpoint(db, publisherId, text),
    isCode(text) ? describeCode(db, query) : [],
    text.length >= minNameLength ? findCreators(db, publisherId, text) : [],
  ]);
  return parts.flat();
}

async function findTransaction(db: Db, publisherId: string, text: string): Promise<Found[]> {
  const rows = await db
    .selectFrom('attribution')
    .select(['code', 'status', 'split_index'])
    .where('publisher_id', '=', publisherId)
    .where('transaction_id', '=', text)
    .orderBy('split_index')
    .limit(4)
    .execute();
  const [first] = rows;
  if (first === undefined) return [];
  const codes = rows.length > 3 ? `${first.code} and others` : rows.map(({ code }) => code).join(', ');
  return [
    { kind: 'transaction', id: text, title: text, about: `Transaction · ${wordOf(first.status)}${codes}` },
  ];
}

/** Status of a row, unless it is the ordinary one. */
const wordOf = (status: string): string => (status === 'Normal' ? '' : `${status} · `);

/** Finds rows of purchases, payouts and events by the ids that the service assigned. */
async function findByRowId(db: Db, publisherId: string, id: string): Promise<Found[]> {
  const { rows } = await sql<{ kind: Found['kind']; id: string; title: string; about: string }>`
    select 'transaction' as kind, transaction_id as id, transaction_id as title,
           'Transaction · row ' || attribution_id || case when status = 'Normal' then ' · ' else ' · ' || status || ' · ' end || code as about
    from attribution
    where publisher_id = ${publisherId} and attribution_id = ${id}::uuid
    union all
    select 'payout', batch_id::text, batch_id::text, 'Payout · ' || status || ' · ' || currency
    from payout_batch
    where publisher_id = ${publisherId} and batch_id = ${id}::uuid
    union all
    select 'delivery', event_id::text, regexp_replace(kind, '^Test', ''), 'Webhook event ' || event_id
    from webhook_event
    where publisher_id = ${publisherId} and event_id = ${id}::uuid`.execute(db);
  return rows;
}

/** Finds the row that a creator named to support (`row-reference.ts`). */
async function findByReference(db: Db, publisherId: string, text: string): Promise<Found[]> {
  const range = rangeOfReference(text);
  if (range === null) return [];
  const rows = await db
    .selectFrom('attribution')
    .select(['attribution_id', 'transaction_id', 'status', 'code'])
    .where('publisher_id', '=', publisherId)
    .where('attribution_id', '>=', toAttributionId(range.from))
    .where('attribution_id', '<', toAttributionId(range.until))
    .execute();
  return rows
    .filter(({ attribution_id }) => isReferenceOf(text, attribution_id))
    .map(({ attribution_id, transaction_id: id, status, code }) => ({
      kind: 'transaction',
      id,
      title: id,
      about: `Transaction · reference ${referenceOfRow(attribution_id)} · ${wordOf(status)}${code}`,
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
  return [{ kind: 'code', id: holder.memberId, title: holder.code, about }];
}

async function findCreators(db: Db, publisherId: string, text: string): Promise<Found[]> {
  const matches = await findNamed(db, publisherId, text, maxMatches);
  const { rows } = await sql<{ account_id: string; name: string; groups: string[]; status: string }>`
    select m.account_id, a.name, array_agg(distinct g.name) as groups, min(m.status) as status
    from membership m
    join creator_account a on a.account_id = m.account_id
    join creator_group g on g.publisher_id = ${publisherId} and g.group_id = m.group_id
    where m.publisher_id = ${publisherId} and m.membership_id = any(${matches}::uuid[]) and ${stands('m')}
    group by m.account_id, a.name
    order by m.account_id <> ${text}, a.name, m.account_id
    limit ${maxCreators}`.execute(db);
  return rows.map(({ account_id: id, name, groups, status }) => ({
    kind: 'creator',
    id,
    title: name,
    about: `Creator · ${status} · ${groups.join(', ')}`,
  }));
}
