import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { openDatabase } from './database.ts';

test.each([
  [50, false],
  [10_000, true],
])('with a time limit of %i ms a query of 300 ms comes to its end: %s', async (queryTimeoutMs, isDone) => {
  const connection = inject('adminConnection');
  const database = openDatabase({
    connection,
    poolSize: 1,
    recordLanes: 1,
    applicationName: 'test',
    queryTimeoutMs,
  });
  try {
    const query = sql`select pg_sleep(0.3)`.execute(database.db);
    if (isDone) await query;
    else await expect(query).rejects.toThrow('timeout');
  } finally {
    await database.close();
  }
});
