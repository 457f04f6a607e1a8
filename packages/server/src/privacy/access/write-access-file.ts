import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type RawBuilder, sql } from 'kysely';
import { readCreator } from '../../members/erase/read-creator.ts';
import type { Db } from '../../platform/database/database.ts';
import { readOwnAccounts } from '../../portal/own-accounts.ts';
import { publisherNames } from '../../publishers/publisher-names.ts';
import {
  accountTables,
  columnsInFile,
  type FileTable,
  membershipTables,
  personTables,
  publisherTables,
} from './file-tables.ts';

/** Rows read by one statement. */
const rowsAtOnce = 1_000;

export interface AccessFile {
  userId: string;
  now: Date;
  /** Runs a statement about a publisher as a request of its own, because a long file exceeds the limit of one request. */
  separately?<Result>(publisherId: string, work: () => Promise<Result>): Promise<Result>;
}

/**
 * Writes a JSON file with what is stored about a person who signs in to the portal: the sign-in, the creator
 * accounts, and what each publisher stores about them. Rows are written as they are read, so the file may be large.
 */
export const writeAccessFile = (db: Db, file: AccessFile, output: Writable): Promise<void> =>
  pipeline(Readable.from(texts(db, file)), output, { end: false });

const about =
  'What is stored about you as a creator, by table. Amounts are in the smallest unit of their currency, such as cents. Times are in UTC. The page docs/personal-data.md of the service explains the tables.';
const leftOut = [
  'Secrets, such as hashes of sign-in codes, and the full address or account in payout methods, of which the hint is shown.',
  'Data of other people: buyers, other creators, and the publishers’ staff.',
  'Notes that a publisher’s staff wrote about you, and the audit log. Ask the publisher for them.',
  'Statements as files, and the refunds of each purchase. The portal shows them.',
];

/** Rows of a table about one account, membership or person. */
interface Part {
  table: FileTable;
  /** Id of the account, membership or person. */
  id: string;
  /** Properties that say what the rows are about. */
  of: Readonly<Record<string, string>>;
  publisherId: string | null;
}

async function* texts(db: Db, file: AccessFile): AsyncGenerator<string> {
  const { now, separately = (_publisher, work) => work() } = file;
  yield `${JSON.stringify({ createdAt: now, about, leftOut }).slice(0, -1)},"tables":[`;
  let separator = '\n';
  for await (const part of parts(db, file.userId)) {
    const { table, of, publisherId } = part;
    let after: readonly string[] | null = null;
    let isBegun = false;
    for (let hasMore = true; hasMore; ) {
      const read = () => readRows(db, { ...part, after });
      const rows: FileRow[] = publisherId === null ? await read() : await separately(publisherId, read);
      const lines = rows.map(({ row }) => row).join(',\n');
      if (isBegun && lines !== '') yield `,\n${lines}`;
      if (!isBegun && lines !== '')
        yield `${separator}${JSON.stringify({ table: table.table, ...of }).slice(0, -1)},"rows":[\n${lines}`;
      isBegun ||= lines !== '';
      after = rows.at(-1)?.key ?? after;
      hasMore = rows.length === rowsAtOnce;
    }
    if (isBegun) {
      yield ']}';
      separator = ',\n';
    }
  }
  yield ']}\n';
}

/** Returns the tables of a person's sign-in, and of each account at each publisher. */
async function* parts(db: Db, userId: string): AsyncGenerator<Part> {
  for (const table of personTables) yield { table, id: userId, of: {}, publisherId: null };
  for (const { accountId } of await readOwnAccounts(db, userId)) {
    const { accountIds, publishers } = await readCreator(db, accountId);
    const names = await publisherNames(
      db,
      publishers.map(({ publisherId }) => publisherId),
    );
    for (const id of accountIds)
      for (const table of accountTables) yield { table, id, of: { accountId: id }, publisherId: null };
    for (const { publisherId, membershipIds } of publishers) {
      const publisher = { publisherId, publisher: names.get(publisherId) ?? publisherId };
      for (const id of accountIds)
        for (const table of publisherTables)
          yield { table, id, of: { ...publisher, accountId: id }, publisherId };
      for (const id of membershipIds)
        for (const table of membershipTables)
          yield { table, id, of: { ...publisher, accountId, membershipId: id }, publisherId };
    }
  }
}

interface FileRow {
  /** Row as JSON. */
  row: string;
  /** Values of the columns that order the rows. */
  key: string[];
}

/** Reads the next rows of a part. The names of tables and columns come from the register, never from a request. */
async function readRows(
  db: Db,
  { table: { table, by, order }, id, publisherId, after }: Part & { after: readonly string[] | null },
): Promise<FileRow[]> {
  const columns = columnsInFile(table);
  const keys = order.map(([column]) => sql.ref(`t.${column}`));
  const isAfter: RawBuilder<unknown> =
    after === null
      ? sql`true`
      : sql`(${sql.join(keys)}) > (${sql.join(
          order.map(([, type], place) => sql`${after[place] ?? ''}::${sql.raw(type)}`),
        )})`;
  const { rows } = await sql<FileRow>`
    select to_json(r)::text as row, k.key
    from ${sql.table(table)} t
    cross join lateral (select ${sql.join(
      columns.map((column) => sql`${sql.ref(`t.${column}`)} as ${sql.id(camelCase(column))}`),
    )}) r
    cross join lateral (select array[${sql.join(keys.map((key) => sql`${key}::text`))}] as key) k
    where ${publisherId === null ? sql`true` : sql`t.publisher_id = ${publisherId}`}
      and ${sql.ref(`t.${by}`)} = ${by === 'membership_id' ? sql`${id}::uuid` : sql`${id}`} and ${isAfter}
    order by ${sql.join(keys)}
    limit ${rowsAtOnce}`.execute(db);
  return rows;
}

const camelCase = (column: string): string =>
  column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
