import { type RawBuilder, sql } from 'kysely';
import type { AuditEntry } from '../../audit/list-changes.ts';
import type { Facts } from '../../audit/record-change.ts';
import { urlInAudit } from '../../audit/url-in-audit.ts';
import type { Db } from '../../platform/database/database.ts';
import { isRowId } from '../../platform/ids.ts';
import { formatMinorUnits } from '../../platform/money.ts';

/** Current name of an object whose id appears in an audit entry. */
export interface AuditName {
  /** Location of the id in the entry: `target`, or the name of the fact. */
  as: string;
  kind: string;
  id: string;
  /** Display name. A schedule is named by its window, an endpoint by its URL, and a payout by its amount. */
  name: string;
  /**
   * Group that the object belongs to, or the bounty that a reward belongs to. For a creator, the group in
   * which the change was made. Null if there is neither.
   */
  within: string | null;
  /** True if the object is no longer active, such as a revoked key or a former staff member. */
  isGone: boolean;
}

/** Kind of object that the id in each such fact identifies. Also applies to lists and nested facts. */
const kindOfFact: Readonly<Record<string, string>> = {
  group: 'group',
  groupId: 'group',
  default: 'group',
  tier: 'tier',
  claimed: 'member',
  newKey: 'key',
  prerequisites: 'bounty',
  endpoints: 'webhook-endpoint',
};

interface Id {
  as: string;
  kind: string;
  id: string;
}

/** Adds the current names of the objects that the entries refer to. Reads all names in one statement. */
export async function withNames<Entry extends AuditEntry>(
  db: Db,
  publisherId: string,
  entries: readonly Entry[],
): Promise<(Entry & { names: AuditName[] })[]> {
  const idsOf = entries.map(idsIn);
  const nameOf = await readNames(db, publisherId, idsOf.flat());
  return entries.map((entry, index) => ({
    ...entry,
    names: (idsOf[index] ?? []).flatMap((id) => {
      const name = nameOf.get(`${id.kind}:${id.id}`);
      return name === undefined ? [] : [{ ...id, ...name, ...(id.kind === 'member' && groupOf(entry)) }];
    }),
  }));
}

/** Returns the group in which the change was made, because a creator may be a member of several groups. */
function groupOf({ before, after }: AuditEntry): Pick<AuditName, 'within'> {
  const group = after?.group ?? before?.group;
  return { within: typeof group === 'string' ? group : null };
}

function idsIn({ target, before, after }: AuditEntry): Id[] {
  const at = target.indexOf(':');
  const ids = new Map([['target', { as: 'target', kind: target.slice(0, at), id: target.slice(at + 1) }]]);
  const collect = (facts: Facts): void => {
    for (const [as, value] of Object.entries(facts))
      for (const item of Array.isArray(value) ? value : [value]) {
        const kind = Object.hasOwn(kindOfFact, as) ? kindOfFact[as] : undefined;
        if (typeof item === 'string' && kind !== undefined) ids.set(`${as} ${item}`, { as, kind, id: item });
        if (typeof item === 'object' && item !== null) collect(item);
      }
  };
  if (before !== null) collect(before);
  if (after !== null) collect(after);
  return [...ids.values()];
}

interface NameRow {
  kind: string;
  id: string;
  name: string;
  within: string | null;
  is_gone: boolean;
}

async function readNames(
  db: Db,
  publisherId: string,
  ids: readonly Id[],
): Promise<Map<string, Pick<AuditName, 'name' | 'within' | 'isGone'>>> {
  const parts = Object.entries(nameQueries).flatMap(([kind, select]) => {
    const wanted = [...new Set(ids.flatMap((each) => (each.kind === kind ? [each.id] : [])))];
    const valid = uuidKinds.has(kind) ? wanted.filter(isRowId) : wanted;
    return valid.length === 0 ? [] : [select(publisherId, valid)];
  });
  if (parts.length === 0) return new Map();
  const { rows } = await sql<NameRow>`${sql.join(parts, sql` union all `)}`.execute(db);
  return new Map(
    rows.map(({ kind, id, name, within, is_gone: isGone }) => [
      `${kind}:${id}`,
      { name: formatters[kind]?.(name) ?? name, within, isGone },
    ]),
  );
}

/** Kinds whose ids are UUIDs. A query for an id that isn't a UUID would fail. */
const uuidKinds = new Set(['tag', 'tier', 'payout', 'bounty-reward']);

const formatters: Readonly<Record<string, (name: string) => string>> = {
  'webhook-endpoint': urlInAudit,
  payout(numberAndTotal) {
    const [number = '', minor = '', currency = ''] = numberAndTotal.split(' ');
    const [whole = '', ...decimals] = formatMinorUnits(BigInt(minor), currency).split('.');
    const amount = [whole.replaceAll(/\B(?=(\d{3})+$)/g, ','), ...decimals].join('.');
    return `${number} · ${amount} ${currency}`;
  },
};

/** Queries that read names, by kind of object. An object whose row has been deleted has no name. */
const nameQueries: Readonly<
  Record<string, (publisherId: string, ids: readonly string[]) => RawBuilder<unknown>>
> = {
  publisher: (publisherId, ids) => sql`
    select 'publisher' as kind, publisher_id as id, name, null as within, false as is_gone
    from publisher
    where publisher_id = ${publisherId} and publisher_id = any(${ids}::text[])`,
  member: (publisherId, ids) => sql`
    select 'member' as kind, a.account_id as id, a.name, null as within, false as is_gone
    from creator_account a
    where a.account_id = any(${ids}::text[])
      and exists (select 1 from membership m where m.publisher_id = ${publisherId} and m.account_id = a.account_id)`,
  group: (publisherId, ids) => sql`
    select 'group' as kind, group_id as id, name, null as within, false as is_gone
    from creator_group
    where publisher_id = ${publisherId} and group_id = any(${ids}::text[])`,
  tag: (publisherId, ids) => sql`
    select 'tag' as kind, tag_id::text as id, name, null as within, removed_at is not null as is_gone
    from creator_tag
    where publisher_id = ${publisherId} and tag_id = any(${ids}::uuid[])`,
  tier: (publisherId, ids) => sql`
    select 'tier' as kind, tier_id::text as id, name, group_id as within, false as is_gone
    from tier
    where publisher_id = ${publisherId} and tier_id = any(${ids}::uuid[])`,
  'sku-share': (publisherId, ids) => sql`
    select 'sku-share' as kind, group_id || '/' || sku_id as id, sku_id as name, group_id as within, false as is_gone
    from sku_share
    where publisher_id = ${publisherId}
      and (group_id, sku_id) in (
        select wanted.group_id, wanted.sku_id
        from unnest(${ids.map(beforeSlash)}::text[], ${ids.map(afterSlash)}::text[]) as wanted (group_id, sku_id)
      )`,
  schedule: (publisherId, ids) => sql`
    select 'schedule' as kind, schedule_id as id, ${iso('starts_at')} || ' – ' || ${iso('ends_at')} as name,
           group_id as within, deleted_at is not null as is_gone
    from scheduled_share
    where publisher_id = ${publisherId} and schedule_id = any(${ids}::text[])`,
  bounty: (publisherId, ids) => sql`
    select 'bounty' as kind, bounty_id as id, name, group_id as within, false as is_gone
    from bounty
    where publisher_id = ${publisherId} and bounty_id = any(${ids}::text[])`,
  'bounty-reward': (publisherId, ids) => sql`
    select 'bounty-reward' as kind, g.progress_reward_id::text as id, d.name, d.bounty_id as within, false as is_gone
    from progress_reward g
    join bounty_reward d on d.publisher_id = ${publisherId} and d.reward_id = g.reward_id
    where g.publisher_id = ${publisherId} and g.progress_reward_id = any(${ids}::uuid[])`,
  payout: (publisherId, ids) => sql`
    select 'payout' as kind, batch_id::text as id, number || ' ' || total_minor || ' ' || currency as name, group_id as within,
           false as is_gone
    from payout_batch
    where publisher_id = ${publisherId} and batch_id = any(${ids}::uuid[])`,
  key: (publisherId, ids) => sql`
    select 'key' as kind, key_id as id, name, null as within, revoked_at is not null as is_gone
    from api_key
    where publisher_id = ${publisherId} and key_id = any(${ids}::text[])`,
  token: (publisherId, ids) => sql`
    select 'token' as kind, token_id as id, name, null as within, revoked_at is not null as is_gone
    from operator_token
    where publisher_id = ${publisherId} and token_id = any(${ids}::text[])`,
  connector: (publisherId, ids) => sql`
    select 'connector' as kind, connector_id as id, name, null as within, removed_at is not null as is_gone
    from connector
    where publisher_id = ${publisherId} and connector_id = any(${ids}::text[])`,
  'webhook-endpoint': (publisherId, ids) => sql`
    select 'webhook-endpoint' as kind, endpoint_id as id, url as name, null as within, false as is_gone
    from webhook_endpoint
    where publisher_id = ${publisherId} and endpoint_id = any(${ids}::text[])`,
  'notification-channel': (publisherId, ids) => sql`
    select 'notification-channel' as kind, channel_id as id, name, null as within, false as is_gone
    from notification_channel
    where publisher_id = ${publisherId} and channel_id = any(${ids}::text[])`,
  invitation: (publisherId, ids) => sql`
    select 'invitation' as kind, invitation_id as id, email as name, null as within,
           accepted_at is not null or revoked_at is not null as is_gone
    from staff_invitation
    where publisher_id = ${publisherId} and invitation_id = any(${ids}::text[])`,
  // A former staff member is shown by the name recorded with their last action here, because this publisher
  // may not see their current name.
  staff: (publisherId, ids) => sql`
    select 'staff' as kind, wanted.id, coalesce(u.name, last.name) as name, null as within, u.id is null as is_gone
    from unnest(${ids}::text[]) as wanted (id)
    left join staff f on f.publisher_id = ${publisherId} and f.user_id = wanted.id
    left join staff_user u on u.id = f.user_id
    left join lateral (
      select actor_name as name
      from audit_entry
      where publisher_id = ${publisherId} and actor_kind = 'staff' and actor_id = wanted.id
      order by audit_id desc
      limit 1
    ) last on u.id is null
    where coalesce(u.name, last.name) is not null`,
};

const iso = (column: 'starts_at' | 'ends_at'): RawBuilder<string> =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

// A group id can't contain a slash, but a SKU can.
const beforeSlash = (id: string): string => id.slice(0, Math.max(0, id.indexOf('/')));
const afterSlash = (id: string): string => id.slice(id.indexOf('/') + 1);
