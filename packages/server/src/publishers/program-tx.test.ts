import { expect, expectTypeOf, test } from 'vitest';
import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import { programTables } from '../platform/database/program-tables.ts';
import { toAccountId, toEndpointId, toTierId } from '../platform/ids.ts';
import type { ProgramTx } from './changing-program.ts';

// `npm run check` checks this file's types: a missing expected error is an error.

const tier = {
  publisher_id: 'aurora',
  tier_id: toTierId('0190'),
  group_id: 'main',
  name: 'Gold',
  share_millionths: 200_000,
};

test('a plain transaction or the database cannot write tables that affect the version', () => {
  const refused = (db: Db, tx: Tx) => [
    // @ts-expect-error a plain transaction must not insert a tier
    tx.insertInto('tier').values(tier),
    // @ts-expect-error a statement without a transaction must not insert a tier
    db.insertInto('tier').values([tier]),
    // @ts-expect-error a membership's status is protected, unlike some other columns
    tx.updateTable('membership').set({ status: 'Approved' }),
    // @ts-expect-error a column is also protected when it is set by name
    tx.updateTable('creator_account').set('name', 'Alice'),
    // @ts-expect-error an endpoint's event kinds are protected, unlike some other columns
    db.updateTable('webhook_endpoint').set({ event_kinds: [] }),
    tx.insertInto('global_code').values({
      // @ts-expect-error the key of a code is protected
      code_folded: 'alice',
      // @ts-expect-error the text of a code is protected
      code: 'ALICE',
      // @ts-expect-error the account of a code is protected
      account_id: toAccountId('acc_alice'),
    }),
  ];
  expect(refused).toBeTypeOf('function');
  expect(Object.keys(programTables)).toContain('tier');
});

test('both can read these tables, and write columns that recording does not read', () => {
  const allowed = (db: Db, tx: Tx) => ({
    name: db.selectFrom('tier').select(['name', 'share_millionths']).executeTakeFirstOrThrow(),
    health: tx
      .updateTable('webhook_endpoint')
      .set({ failing_since: null })
      .where('endpoint_id', '=', toEndpointId('we_')),
  });
  expectTypeOf<Awaited<ReturnType<typeof allowed>['name']>>().toEqualTypeOf<{
    name: string;
    share_millionths: number;
  }>();
});

test('a transaction of changingProgram can write all tables, and can be used as a plain one', () => {
  const allowed = (tx: ProgramTx) => [
    tx.insertInto('tier').values(tier),
    tx.updateTable('tier').set({ name: 'Silver' }).where('tier_id', '=', tier.tier_id),
    tx.insertInto('publisher').values({ publisher_id: 'aurora', name: 'Aurora' }),
  ];
  expect(allowed).toBeTypeOf('function');
  expectTypeOf<ProgramTx>().toExtend<Tx>();
  expectTypeOf<Tx>().not.toExtend<ProgramTx>();
});
