import { type RawBuilder, sql } from 'kysely';
import type { AuditEntry } from '../../audit/list-changes.ts';
import type { Facts } from '../../audit/record-change.ts';
import { urlInAudit } from '../../audit/url-in-audit.ts';
import type { Db } from '../../platform/database/database.ts';
import { isRowId } from '../../platform/ids.ts';
import { formatMinorUnits } from '../../platform/money.ts';

/** What a person calls something that an entry names by its id. */
export interface Named {
  /** Where the entry has the id: `target`, or what the fact is called. */
  as: string;
  kind: string;
  id: string;
  /** A schedule's is its window, an endpoint's its address, a payout's its amount. */
  name: string;
  /** The group that it is in, a creator that it was changed in, a reward the bounty; null for what is in none. */
  within: string | null;
  /** Whether it is over: a key that was revoked, somebody who is of the staff no more. */
  isGone: boolean;
}

/** Facts that are ids, and of what; in lists, and in what stands in them, too. */
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

/** Entries with the names, as they are today, of what they name by its id; all in one statement. */
export async function withNames<Entry extends AuditEntry>(
  db: Db,
  publisherId: string,
  entries: readonly Entry[],
): Promise<(Entry & { names: Named[] })[]> {
  const idsOf = entries.map(idsIn);
  const found = await readNames(db, publisherId, idsOf.flat());
  return entries.map((entry, index) => ({
    ...entry,
    names: (idsOf[index] ?? []).flatMap((id) => {
      const name = found.get(`${id.kind}:${id.id}`);
      return name === undefined ? [] : [{ ...id, ...name, ...(id.kind === 'member' && groupOf(entry)) }];
    }),
  }));
}

/** A creator may be of several groups: the one that the change was in. */
function groupOf({ before, after }: AuditEntry): Pick<Named, 'within'> {
  const group = after?.group ?? before?.group;
  return { within: typeof group === 'string' ? group : null };
}

function idsIn({ target, before, after }: AuditEntry): Id[] {
  const at = target.indexOf(':');
  const ids = new Map([['target', { as: 'target', kind: target.slice(0, at), id: target.slice(at + 1) }]]);
  const look = (facts: Facts): void => {
    for (const [as, value] of Object.entries(facts))
      for (const each of Array.isArray(value) ? value : [value]) {
        const kind = Object.hasOwn(kindOfFact, as) ? kindOfFact[as] : undefined;
        if (typeof each === 'string' && kind !== undefined) ids.set(`${as} ${each}`, { as, kind, id: each });
        if (typeof each === 'object' && each !== null) look(each);
      }
  };
  if (before !== null) look(before);
  if (after !== null) look(after);
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
): Promise<Map<string, Pick<Named, 'name' | 'within' | 'isGone'>>> {
  const parts = Object.entries(namesOf).flatMap(([kind, select]) => {
    const asked = [...new Set(ids.flatMap((each) => (each.kind === kind ? [each.id] : [])))];
    const possible = rowIds.has(kind) ? asked.filter(isRowId) : asked;
    return possible.length === 0 ? [] : [select(publisherId, possible)];
  });
  if (parts.length === 0) return new Map();
  const { rows } = await sql<NameRow>`${sql.join(parts, sql` union all `)}`.execute(db);
  return new Map(
    rows.map(({ kind, id, name, within, is_gone: isGone }) => [
      `${kind}:${id}`,
      { name: written[kind]?.(name) ?? name, within, isGone },
    ]),
  );
}

/** Of which an id that is none cannot be asked for. */
const rowIds = new Set(['tier', 'payout', 'bounty-reward']);

const written: Readonly<Record<string, (name: string) => string>> = {
  'webhook-endpoint': urlInAudit,
  payout(total) {
    const [minor = '', currency = ''] = total.split(' ');
    return `${formatMinorUnits(BigInt(minor), currency)} ${currency}`;
  },
};

/** What has left nothing behind is not among the rows. */
const namesOf: Readonly<
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
  tier: (publisherId, ids) => sql`
    select 'tier' as kind, tier_id::text as id, name, group_id as within, false as is_gone
    from tier
    where publisher_id = ${publisherId} and tier_id = any(${ids}::uuid[])`,
  'sku-share': (publisherId, ids) => sql`
    select 'sku-share' as kind, group_id || '/' || sku_id as id, sku_id as name, group_id as within, false as is_gone
    from sku_share
    where publisher_id = ${publisherId}
      and (group_id, sku_id) in (
        select asked.group_id, asked.sku_id
        from unnest(${ids.map(beforeSlash)}::text[], ${ids.map(afterSlash)}::text[]) as asked (group_id, sku_id)
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
    select 'payout' as kind, batch_id::text as id, total_minor || ' ' || currency as name, group_id as within,
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
  'webhook-endpoint': (publisherId, ids) => sql`
    select 'webhook-endpoint' as kind, endpoint_id as id, url as name, null as within, false as is_gone
    from webhook_endpoint
    where publisher_id = ${publisherId} and endpoint_id = any(${ids}::text[])`,
  invitation: (publisherId, ids) => sql`
    select 'invitation' as kind, invitation_id as id, email as name, null as within,
           accepted_at is not null or revoked_at is not null as is_gone
    from staff_invitation
    where publisher_id = ${publisherId} and invitation_id = any(${ids}::text[])`,
  // Whoever has left is called as in what they did last: what they are called elsewhere is not this publisher's to see.
  staff: (publisherId, ids) => sql`
    select 'staff' as kind, asked.id, coalesce(u.name, last.name) as name, null as within, u.id is null as is_gone
    from unnest(${ids}::text[]) as asked (id)
    left join staff f on f.publisher_id = ${publisherId} and f.user_id = asked.id
    left join staff_user u on u.id = f.user_id
    left join lateral (
      select actor_name as name
      from audit_entry
      where publisher_id = ${publisherId} and actor_kind = 'staff' and actor_id = asked.id
      order by audit_id desc
      limit 1
    ) last on u.id is null
    where coalesce(u.name, last.name) is not null`,
};

const iso = (column: 'starts_at' | 'ends_at'): RawBuilder<string> =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

// A group's id has no slash, a SKU's may.
const beforeSlash = (id: string): string => id.slice(0, Math.max(0, id.indexOf('/')));
const afterSlash = (id: string): string => id.slice(id.indexOf('/') + 1);
