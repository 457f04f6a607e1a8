import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, expect } from 'vitest';
import type { Outcome } from '../attribution-process.ts';
import { type WrittenEntry, writtenEntries } from '../audit.ts';
import { urlsOf } from '../database-url.ts';
import { type Linking, useLinking } from '../linking.ts';
import { runInProcess } from '../run-in-process.ts';
import type { Answer } from '../test-service.ts';

/** Operation's response from the API or the command line. */
type Said = Answer | Outcome;

/** Service with the fixtures, and functions that call the audited operations. */
export interface House extends Linking {
  /** Runs a command for aurora. */
  run(...words: string[]): Promise<Outcome>;
  runWith(given: { input?: string; settings?: Record<string, string> }, ...words: string[]): Promise<Outcome>;
}

/** Operation that changes data and must therefore add an audit entry. */
export interface AuditedOperation {
  /** Name in the API document or on the command line, such as `linkMember` or `keys create`. */
  operation: string;
  action: string;
  /** Prepares the operation. @returns a function that calls it once, successfully */
  prepare(house: House): Promise<() => Promise<Said>>;
  given?(house: House): Promise<string>;
  /** Calls the operation so that it is rejected. */
  refused(house: House, given: string): Promise<Said>;
}

/** Commands that apply to all publishers, or whose input names the publisher. */
const ofNoPublisher: ReadonlySet<string> = new Set(['provision', 'secrets']);

/** Commands for a person, who may belong to several publishers. */
const ofOnePerson: ReadonlySet<string> = new Set(['reset-password', 'remove-second-factors']);

export function useHouse(): House {
  const linking = useLinking();
  const runWith: House['runWith'] = async ({ input, settings = {} }, ...words) =>
    runInProcess(
      ofNoPublisher.has(words[0] ?? '') || ofOnePerson.has(words[1] ?? '')
        ? words
        : [...words, '--publisher', 'aurora'],
      {
        environment: {
          ...urlsOf(linking.service().testDatabase),
          WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
          ...settings,
        },
        ...(input !== undefined && { input }),
      },
    );
  beforeAll(() => noteCommits(linking));
  return { ...linking, runWith, run: (...words) => runWith({}, ...words) };
}

export const succeeded = (said: Said): boolean =>
  'code' in said ? said.code === 0 : said.status >= 200 && said.status < 300;

/** Returns the text that a client shows on a failure. */
export const textOf = (said: Said): string => ('code' in said ? said.stdout + said.stderr : said.text);

interface Commit {
  xid: string;
  tables: string[];
}

export interface Committed {
  said: Said;
  commits: Commit[];
  entries: WrittenEntry[];
}

/**
 * Tables written as a side effect. One of the installation's secrets is created on first use, and counts and
 * samples of requests are written with a delay.
 */
const byTheWay = ['service_secret', 'refused_request', 'request_count', 'buyer_forgetting'];

export async function committedBy(house: House, work: () => Promise<Said>): Promise<Committed> {
  await house.query(sql`truncate written`);
  const before = (await writtenEntries(house.db())).length;
  const said = await work();
  const commits = await house.query(sql<Commit>`
    select xid::text, array_agg(table_name order by table_name) as tables
    from written
    where table_name <> all(${byTheWay}::text[])
    group by xid`);
  return { said, commits, entries: (await writtenEntries(house.db())).slice(before) };
}

/**
 * Makes every write to a table, including a delete, add a note in the same transaction. A rollback therefore
 * removes the note.
 */
async function noteCommits({ service }: Linking): Promise<void> {
  const admin = new pg.Client(service().testDatabase.adminConnection);
  await admin.connect();
  try {
    await admin.query(`
      create table written (xid xid8 not null, table_name text not null, primary key (xid, table_name));
      grant select, truncate on written to public;
      create function note_write() returns trigger language plpgsql security definer as $$
      begin
        insert into public.written
        select pg_current_xact_id(), coalesce((select inhparent::regclass::text from pg_inherits where inhrelid = tg_relid), tg_table_name)
        on conflict do nothing;
        return null;
      end $$;`);
    const { rows } = await admin.query<{ name: string }>(`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> 'written'`);
    expect(rows.length).toBeGreaterThan(30);
    for (const { name } of rows)
      for (const when of whenNoted(name))
        await admin.query(`create trigger note_write${when} execute function note_write()`);
  } finally {
    await admin.end();
  }
}

/**
 * Returns the condition for adding a note. It excludes a key's last use, which any process may write at any
 * time.
 */
const whenNoted = (table: string): string[] =>
  table === 'api_key'
    ? [
        ` after insert or delete on ${table} for each row`,
        `_of_key after update on ${table} for each row when (old.last_used_at is not distinct from new.last_used_at)`,
      ]
    : [` after insert or update or delete on ${table} for each row`];
