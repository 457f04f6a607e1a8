import { expect, test } from 'vitest';
import { useManagement } from '../../test/management.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
import { changingProgramme, programmeChanged } from './changing-programme.ts';

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

test('a programme is changed once in a transaction: nobody begins inside of it, and what changed is kept', async () => {
  const before = await version();
  await inTransaction(db(), (tx) =>
    changingProgramme(tx, 'aurora', async (changing) => {
      programmeChanged(changing, 'aurora');
      const nested = changingProgramme(tx, 'aurora', async () => {});
      await expect(nested).rejects.toThrow('inside of changingProgramme');
    }),
  );
  expect(await version()).toBe(before + 1n);
});

test('work that fails leaves its transaction as it was: another may begin', async () => {
  const before = await version();
  await inTransaction(db(), async (tx) => {
    const failing = changingProgramme(tx, 'aurora', async (changing) => {
      programmeChanged(changing, 'aurora');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await changingProgramme(tx, 'aurora', async () => {});
  });
  expect(await version()).toBe(before);
});
