import { type RawBuilder, sql } from 'kysely';
import { ConfirmedCache } from '../platform/confirmed-cache.ts';
import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { Confirm } from '../platform/work/join-confirmations.ts';

export interface CreatorGroup {
  readonly groupId: string;
  readonly name: string;
  readonly isDefault: boolean;
  /** The group's default revenue share, 0 … 1_000_000. */
  readonly shareMillionths: number;
  readonly codeTtlDays: number;
  readonly disabledCurrencies: ReadonlySet<string>;
}

export const namesOf = ({ groupId, name }: CreatorGroup) => ({ groupId, groupName: name });

/**
 * A publisher's program at one version, which may be several seconds old. Statements that must not use an old version
 * check it (attributions/record/record-statement.ts).
 */
export interface Program {
  readonly publisherId: string;
  readonly version: bigint;
  /** True for a sandbox, whose clock may be ahead (publisher-time.ts). */
  readonly isSandbox: boolean;
  /** True if any webhook endpoint subscribes to the event for each recorded row. */
  readonly sendsRecorded: boolean;
  readonly groups: ReadonlyMap<string, CreatorGroup>;
  readonly defaultGroup: CreatorGroup | null;
}

export type Programs = ConfirmedCache<Program>;

export const createPrograms = (db: Db, confirm: Confirm): Programs =>
  new ConfirmedCache<Program>({
    load: (publisherId) => loadProgram(db, publisherId),
    confirm: (programs) => confirm(stillCurrent(programs)),
    maxEntries: 10_000,
  });

/** Returns the program of a key's publisher. */
export async function requireProgram(programs: Programs, publisherId: string): Promise<Program> {
  const program = await programs.get(publisherId);
  if (program === null) throw new Error('a key belongs to a publisher that does not exist');
  return program;
}

/** Returns null for an unknown publisher. */
export async function loadProgram(db: Db | Tx, publisherId: string): Promise<Program | null> {
  // Use one statement, so that the version and the groups come from the same snapshot.
  const { rows } = await sql<{
    programme_version: bigint;
    is_sandbox: boolean;
    sends_recorded: boolean;
    group_id: string | null;
    name: string;
    is_default: boolean;
    share_millionths: number;
    code_ttl_days: number;
    disabled_currencies: string[];
  }>`
    select p.programme_version, p.sandbox_of is not null as is_sandbox,
           ${hasRecordedSubscriber(publisherId)} as sends_recorded,
           g.group_id, g.name, g.is_default, g.share_millionths, g.code_ttl_days,
           g.disabled_currencies
    from publisher p
    left join creator_group g on g.publisher_id = ${publisherId}
    where p.publisher_id = ${publisherId}
    order by g.created_at, g.group_id`.execute(db);
  const first = rows[0];
  if (first === undefined) return null;
  const groups = new Map<string, CreatorGroup>();
  for (const row of rows) {
    if (row.group_id === null) continue;
    groups.set(row.group_id, {
      groupId: row.group_id,
      name: row.name,
      isDefault: row.is_default,
      shareMillionths: row.share_millionths,
      codeTtlDays: row.code_ttl_days,
      disabledCurrencies: new Set(row.disabled_currencies),
    });
  }
  return {
    publisherId,
    version: first.programme_version,
    isSandbox: first.is_sandbox,
    sendsRecorded: first.sends_recorded,
    groups,
    defaultGroup: [...groups.values()].find(({ isDefault }) => isDefault) ?? null,
  };
}

const hasRecordedSubscriber = (publisherId: string): RawBuilder<boolean> => sql`
  exists (
    select 1 from webhook_endpoint subscriber
    where subscriber.publisher_id = ${publisherId} and 'Attribution/TransactionRecorded' = any(subscriber.event_kinds)
  )`;

/** Returns whether any of the publisher's endpoints subscribes to the event for each recorded row. */
export async function sendsRecorded(tx: Tx, publisherId: string): Promise<boolean> {
  const { rows } = await sql<{ sends: boolean }>`
    select ${hasRecordedSubscriber(publisherId)} as sends`.execute(tx);
  return rows[0]?.sends === true;
}

function stillCurrent(programs: ReadonlyMap<string, Program>): RawBuilder<{ key: string }> {
  const versions = [...programs.values()].map(({ version }) => version);
  return sql`
    select p.publisher_id as key
    from publisher p
    join unnest(${[...programs.keys()]}::text[], ${versions}::bigint[]) as k (publisher_id, version)
      on p.publisher_id = k.publisher_id and p.programme_version = k.version`;
}
