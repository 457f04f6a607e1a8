import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, expect } from 'vitest';
import type { Outcome } from '../attribution-process.ts';
import { type WrittenEntry, writtenEntries } from '../audit.ts';
import { urlsOf } from '../database-url.ts';
import { type Linking, useLinking } from '../linking.ts';
import { runInProcess } from '../run-in-process.ts';
import type { Answer } from '../test-service.ts';

/** What an operation was answered, by the API or on the command line. */
type Said = Answer | Outcome;

/** A service with the fixtures, and what audited operations are called with. */
export interface House extends Linking {
  /** Runs a command about aurora; words that begin with it are given first. */
  run(...words: string[]): Promise<Outcome>;
  /** The same with a text on standard input, and settings. */
  runWith(given: { input?: string; settings?: Record<string, string> }, ...words: string[]): Promise<Outcome>;
}

/** An operation that changes something, and so must be in the audit log. */
export interface AuditedOperation {
  /** As the API's document, or the command line, calls it: `linkMember`, `keys create`. */
  operation: string;
  action: string;
  /** Brings about what it needs. @returns what calls it, once, so that it succeeds */
  prepare(house: House): Promise<() => Promise<Said>>;
  /** What `refused` needs. */
  given?(house: House): Promise<string>;
  /** Calls it so that it is refused. */
  refused(house: House, given: string): Promise<Said>;
}

/** Commands that are about every publisher, or say which in their input. */
const ofNoPublisher: ReadonlySet<string> = new Set(['provision', 'secrets']);

/** Commands about somebody, who may be of several publishers. */
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

/** What a client shows when it fails. */
export const textOf = (said: Said): string => ('code' in said ? said.stdout + said.stderr : said.text);

/** What a commit wrote, by its transaction. */
interface Commit {
  xid: string;
  tables: string[];
}

/** What was committed, and what the audit log got, while some work was done. */
export interface Committed {
  said: Said;
  commits: Commit[];
  entries: WrittenEntry[];
}

/**
 * Not what an operation changes: a secret of the installation is made by whoever needs it first, and a sample of what was
 * refused is written down a little later.
 */
const byTheWay = ['service_secret', 'refused_request', 'buyer_forgetting'];

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
 * Has every table note, in the transaction itself, that it was written: what is rolled back leaves no note, and what is
 * deleted leaves one as well.
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

/** That a key is in use is noted in between, by whichever process heard of it. */
const whenNoted = (table: string): string[] =>
  table === 'api_key'
    ? [
        ` after insert or delete on ${table} for each row`,
        `_of_key after update on ${table} for each row when (old.last_used_at is not distinct from new.last_used_at)`,
      ]
    : [` after insert or update or delete on ${table} for each row`];
