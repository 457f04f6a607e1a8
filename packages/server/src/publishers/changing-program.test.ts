import { expect, test } from 'vitest';
import { useManagement } from '../../test/management.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
import { changingProgram, programChanged } from './changing-program.ts';

const { service } = useManagement();
const db = () => service().testDatabase.database.db;
const version = async () => {
  const { programme_version: found } = await db()
    .selectFrom('publisher')
    .select('programme_version')
    .where('publisher_id', '=', 'aurora')
    .executeTakeFirstOrThrow();
  return BigInt(found);
};

test('rejects nested changes of a program, and keeps the outer change', async () => {
  const before = await version();
  await inTransaction(db(), (tx) =>
    changingProgram(tx, 'aurora', async (changing) => {
      programChanged(changing, 'aurora');
      const nested = changingProgram(tx, 'aurora', async () => {});
      await expect(nested).rejects.toThrow('must not be nested');
    }),
  );
  expect(await version()).toBe(before + 1n);
});

test('allows another change in the transaction after work that failed', async () => {
  const before = await version();
  await inTransaction(db(), async (tx) => {
    const failing = changingProgram(tx, 'aurora', async (changing) => {
      programChanged(changing, 'aurora');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await changingProgram(tx, 'aurora', async () => {});
  });
  expect(await version()).toBe(before);
});
