import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { useTransactions } from '../../../test/transactions.ts';

const { service, record, patch } = useTransactions();

/** Table that records the applied migrations. These rules don't apply to it. */
const migrators = 'schema_migration';

interface Table {
  name: string;
  comment: string | null;
  /** True if the primary key, unique constraints and unique indexes all begin with publisher_id. */
  uniques: { name: string; lead: string | null; isPrimary: boolean }[];
  foreignKeys: { name: string; target: string; lead: string; targetLead: string }[];
}

let tables: Table[];
beforeAll(async () => {
  const { rows } = await sql<Table>`
    select c.relname as name,
           obj_description(c.oid, 'pg_class') as comment,
           (select coalesce(json_agg(json_build_object(
                     'name', i.indexrelid::regclass::text,
                     'lead', (select a.attname from pg_attribute a where a.attrelid = c.oid and a.attnum = i.indkey[0]),
                     'isPrimary', i.indisprimary)), '[]')
            from pg_index i
            where i.indrelid = c.oid and i.indisunique) as uniques,
           (select coalesce(json_agg(json_build_object(
                     'name', f.conname,
                     'target', f.confrelid::regclass::text,
                     'lead', (select a.attname from pg_attribute a where a.attrelid = c.oid and a.attnum = f.conkey[1]),
                     'targetLead', (select a.attname from pg_attribute a where a.attrelid = f.confrelid and a.attnum = f.confkey[1]))), '[]')
            from pg_constraint f
            where f.conrelid = c.oid and f.contype = 'f') as "foreignKeys"
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> ${migrators}
    order by c.relname`.execute(service().testDatabase.database.db);
  tables = rows;
});

const isReference = ({ comment }: Table): boolean => comment?.startsWith('reference: ') === true;
const referenceNames = (): Set<string> => new Set(tables.filter(isReference).map(({ name }) => name));

test('has tenant tables and reference tables', () => {
  expect(tables.filter(isReference).length).toBeGreaterThanOrEqual(5);
  expect(tables.filter((table) => !isReference(table)).map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'attribution',
      'creator_group',
      'membership',
      'payment',
      'publisher',
      'refund_record',
    ]),
  );
});

describe('a tenant table', () => {
  test('has publisher_id first in its primary key and unique indexes', () => {
    const wrong = tables
      .filter((table) => !isReference(table))
      .flatMap(({ name, uniques }) => [
        ...(uniques.some(({ isPrimary }) => isPrimary) ? [] : [`${name} has no primary key`]),
        ...uniques
          .filter(({ lead }) => lead !== 'publisher_id')
          .map((unique) => `${name}: ${unique.name} leads with ${unique.lead}`),
      ]);
    expect(wrong).toEqual([]);
  });

  test('has publisher_id first on both sides of foreign keys to other tenant tables', () => {
    const references = referenceNames();
    const wrong = tables
      .filter((table) => !isReference(table))
      .flatMap(({ name, foreignKeys }) =>
        foreignKeys
          .filter(
            ({ target, lead, targetLead }) =>
              !references.has(target) && !(lead === 'publisher_id' && targetLead === 'publisher_id'),
          )
          .map((key) => `${name}: ${key.name}`),
      );
    expect(wrong).toEqual([]);
  });
});

test('has no foreign key from a reference table to a tenant table', () => {
  const references = referenceNames();
  const wrong = tables
    .filter(isReference)
    .flatMap(({ name, foreignKeys }) =>
      foreignKeys.filter(({ target }) => !references.has(target)).map((key) => `${name}: ${key.name}`),
    );
  expect(wrong).toEqual([]);
});

test('contains nothing that Citus can’t distribute', async () => {
  const { rows } = await sql<{ what: string }>`
    with ours as (
      select c.oid, c.oid::regclass::text as name, coalesce(obj_description(c.oid, 'pg_class') like 'reference:%', false) as is_reference,
             c.relpersistence, c.relhasrules
      from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> ${migrators})
    select name || ': ' || conname || ' excludes without publisher_id =' as what
    from pg_constraint x
    join ours on ours.oid = x.conrelid and not is_reference
    where contype = 'x' and not exists (
      select 1
      from unnest(conkey, conexclop) as k (attribute, operator)
      join pg_attribute a on a.attrelid = x.conrelid and a.attnum = k.attribute and a.attname = 'publisher_id'
      join pg_operator o on o.oid = k.operator and o.oprname = '=')
    union all
    select name || ': ' || conname || ' sets to null or a default, or may wait'
    from pg_constraint f
    join ours on ours.oid = f.conrelid
    where contype = 'f' and (confdeltype in ('n', 'd') or confupdtype <> 'a' or condeferrable)
    union all
    select name || ' has trigger ' || tgname from pg_trigger t join ours on ours.oid = t.tgrelid where not tgisinternal
    union all
    select name || '.' || attname || ' counts by a sequence'
    from pg_attribute a
    join ours on ours.oid = a.attrelid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where attnum > 0 and (attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) like 'nextval(%')
    union all
    select name || ' has rules, or is not logged' from ours where relhasrules or relpersistence <> 'p'
    union all
    select name || ' has an index that is unique by an expression'
    from pg_index i
    join ours on ours.oid = i.indrelid and not is_reference
    where i.indisunique and 0 = any (i.indkey)`.execute(service().testDatabase.database.db);
  expect(rows).toEqual([]);
});

test('compares text in unique indexes byte by byte', async () => {
  const { rows } = await sql<{ column: string }>`
    select distinct c.relname || '.' || a.attname as column
    from pg_index i
    join pg_class c on c.oid = i.indrelid and c.relnamespace = 'public'::regnamespace and c.relname <> ${migrators}
    join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
    join pg_collation o on o.oid = a.attcollation
    where i.indisunique and o.collname <> 'C'`.execute(service().testDatabase.database.db);
  // Tier names and key names may be in any language.
  expect(rows.map(({ column }) => column).filter((column) => !column.endsWith('.name'))).toEqual([]);
});

describe('a refund record', () => {
  beforeAll(async () => {
    const { body } = await record({
      transactionId: 'refunded',
      code: 'ALICE',
      description: '',
      subtotal: 1,
      currency: 'USD',
      transactionDate: '2026-05-01T00:00:00Z',
    });
    expect(body.transaction.transactionId).toBe('refunded');
    await patch('refunded', { form: { action: 'Refund' } });
  });

  test.each([
    "update refund_record set action = 'Fraud'",
    'update refund_record set reverses_money = false where false',
    'delete from refund_record',
    'truncate refund_record',
  ])("can't be changed or deleted by the service's role: %s", async (statement) => {
    const before = await countRefunds();
    expect(before).toBe(1);
    await expect(service().testDatabase.database.recording.query(statement)).rejects.toMatchObject({
      code: '42501',
    });
    expect(await countRefunds()).toBe(before);
  });

  test('that reverses money exists only once for a row', async () => {
    const again = sql`
      insert into refund_record (publisher_id, refund_id, attribution_id, action, reverses_money)
      select publisher_id, gen_random_uuid(), attribution_id, 'Refund', true from refund_record`;
    await expect(again.execute(service().testDatabase.database.db)).rejects.toMatchObject({
      constraint: 'refund_record_one_reversal',
    });
  });
});

async function countRefunds(): Promise<number> {
  const { rows } = await service().testDatabase.database.recording.query(
    'select count(*)::int as n from refund_record',
  );
  return rows[0].n;
}
