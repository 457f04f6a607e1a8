import { sql } from 'kysely';
import { checkCode } from '../../members/read/check-code.ts';
import { isCode } from '../../members/read/judge-code.ts';
import { findNamed } from '../../members/read/members-named.ts';
import { stands } from '../../members/standing.ts';
import type { Db } from '../../platform/database/database.ts';
import { isRowId } from '../../platform/ids.ts';

/** What something is that was found. */
export const kinds = ['transaction', 'code', 'creator', 'payout', 'delivery', 'endpoint'] as const;

export interface Found {
  kind: (typeof kinds)[number];
  /** Its own, among those of its kind. */
  id: string;
  title: string;
  about: string;
}

export interface SearchAsked {
  publisherId: string;
  /** The group in which a code is checked; null where there is none. */
  group: { groupId: string; name: string } | null;
  typed: string;
}

/** Of creators whose name or code begins with it. */
const creatorsShown = 8;
const creatorsLookedAt = 200;
const namesFrom = 2;

/**
 * What somebody may mean by a text: what has exactly this id first, then the code, with why it credits or is refused,
 * then creators whose codes or names begin with it. Each part is a few entries of an index.
 */
export async function search(db: Db, asked: SearchAsked): Promise<Found[]> {
  const { publisherId, typed } = asked;
  const parts = await Promise.all([
    findTransaction(db, publisherId, typed),
    isRowId(typed) ? findByRowId(db, publisherId, typed) : [],
    findEndpoint(db, publisherId, typed),
    isCode(typed) ? sayCode(db, asked) : [],
    typed.length >= namesFrom ? findCreators(db, publisherId, typed) : [],
  ]);
  return parts.flat();
}

async function findTransaction(db: Db, publisherId: string, typed: string): Promise<Found[]> {
  const rows = await db
    .selectFrom('attribution')
    .select(['code', 'status', 'split_index'])
    .where('publisher_id', '=', publisherId)
    .where('transaction_id', '=', typed)
    .orderBy('split_index')
    .limit(4)
    .execute();
  const [first] = rows;
  if (first === undefined) return [];
  const codes = rows.length > 3 ? `${first.code} and others` : rows.map(({ code }) => code).join(', ');
  return [
    { kind: 'transaction', id: typed, title: typed, about: `Transaction · ${first.status} · ${codes}` },
  ];
}

/** Ids that the service made: rows of purchases, payouts, events. */
async function findByRowId(db: Db, publisherId: string, id: string): Promise<Found[]> {
  const { rows } = await sql<{ kind: Found['kind']; id: string; title: string; about: string }>`
    select 'transaction' as kind, transaction_id as id, transaction_id as title,
           'Transaction · row ' || attribution_id || ' · ' || status || ' · ' || code as about
    from attribution
    where publisher_id = ${publisherId} and attribution_id = ${id}::uuid
    union all
    select 'payout', batch_id::text, batch_id::text, 'Payout · ' || status || ' · ' || currency
    from payout_batch
    where publisher_id = ${publisherId} and batch_id = ${id}::uuid
    union all
    select 'delivery', event_id::text, kind, 'Webhook event ' || event_id
    from webhook_event
    where publisher_id = ${publisherId} and event_id = ${id}::uuid`.execute(db);
  return rows;
}

async function findEndpoint(db: Db, publisherId: string, typed: string): Promise<Found[]> {
  const found = await db
    .selectFrom('webhook_endpoint')
    .select(['endpoint_id', 'is_enabled', 'failing_since'])
    .where('publisher_id', '=', publisherId)
    .where('endpoint_id', '=', typed as never)
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

/** Whom a code credits in the group, or why it is refused; nothing of one that nobody has. */
async function sayCode(db: Db, { publisherId, group, typed }: SearchAsked): Promise<Found[]> {
  if (group === null) return [];
  const { holder, credited, checks } = await checkCode(db, { publisherId, group }, typed);
  if (holder === null) return [];
  const refused = checks.find(({ verdict }) => verdict === 'failed');
  const about =
    credited !== null
      ? `Code · credits ${credited.name} in ${group.name}`
      : `Code · refused in ${group.name}: ${refused?.says ?? ''}`;
  return [{ kind: 'code', id: holder.memberId, title: holder.code, about }];
}

async function findCreators(db: Db, publisherId: string, typed: string): Promise<Found[]> {
  const named = await findNamed(db, publisherId, typed, creatorsLookedAt);
  const { rows } = await sql<{ account_id: string; name: string; groups: string[]; status: string }>`
    select m.account_id, a.name, array_agg(distinct g.name) as groups, min(m.status) as status
    from membership m
    join creator_account a on a.account_id = m.account_id
    join creator_group g on g.publisher_id = ${publisherId} and g.group_id = m.group_id
    where m.publisher_id = ${publisherId} and m.membership_id = any(${named}::uuid[]) and ${stands('m')}
    group by m.account_id, a.name
    order by m.account_id <> ${typed}, a.name, m.account_id
    limit ${creatorsShown}`.execute(db);
  return rows.map(({ account_id: id, name, groups, status }) => ({
    kind: 'creator',
    id,
    title: name,
    about: `Creator · ${status} · ${groups.join(', ')}`,
  }));
}
