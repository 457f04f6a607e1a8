import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { useTransactions } from '../../test/transactions.ts';
import {
  accountTables,
  columnsInFile,
  membershipTables,
  personTables,
  publisherTables,
} from './access/file-tables.ts';
import { personalData, registeredColumns } from './personal-data.ts';
import { inCreatorFile } from './register/entry.ts';

const { service } = useTransactions();

const file = 'packages/server/src/privacy/register/';
const whatToDo = `Add it to its table in ${file}: to \`none\` if it never contains a person's data, or else to \`ids\`, \`actors\` or \`columns\` with the person, the export and the erasure. Then extend the erasures in packages/server/src/privacy/, and run \`npm run generate\`.`;

test('every column of every table is in the register of personal data exactly once', async () => {
  const { rows } = await sql<{ table: string; column: string }>`
    select c.relname as table, a.attname as column
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by 1, a.attnum`.execute(service().testDatabase.database.db);
  expect(rows.length).toBeGreaterThan(800);
  const stored = new Set(rows.map(({ table, column }) => `${table}.${column}`));
  const registered = Object.entries(personalData).flatMap(([table, entry]) =>
    registeredColumns(entry).map((column) => `${table}.${column}`),
  );
  const known = new Set(registered);
  const problems = [
    ...[...stored]
      .filter((name) => !known.has(name))
      .map((name) => `${name} is not in the register of personal data. ${whatToDo}`),
    ...[...known]
      .filter((name) => !stored.has(name))
      .map((name) => `${name} is in the register, but not in the database. Remove it from ${file}.`),
    ...registered
      .filter((name, place) => registered.indexOf(name) !== place)
      .map((name) => `${name} is in the register twice. Remove one of the entries from ${file}.`),
  ];
  expect(problems).toEqual([]);
});

test("a creator's file contains exactly the columns that the register says", () => {
  const fileTables = [...personTables, ...accountTables, ...publisherTables, ...membershipTables];
  const names = fileTables.map(({ table }) => table);
  expect(new Set(names).size).toBe(names.length);
  const registered = Object.entries(personalData).flatMap(([table, { columns = {} }]) =>
    Object.entries(columns)
      .filter(([, { exported }]) => exported === inCreatorFile)
      .map(([column]) => `${table}.${column}`),
  );
  const inFile = new Set(
    fileTables.flatMap(({ table }) => columnsInFile(table).map((column) => `${table}.${column}`)),
  );
  expect(registered.filter((name) => !inFile.has(name))).toEqual([]);
  const secrets = Object.entries(personalData).flatMap(([table, { columns = {} }]) =>
    Object.entries(columns)
      .filter(([, { exported }]) => exported !== inCreatorFile)
      .map(([column]) => `${table}.${column}`),
  );
  expect(secrets.filter((name) => inFile.has(name))).toEqual([]);
});
