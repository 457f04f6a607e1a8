import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startWorkers } from '../src/worker.ts';
import { until } from './attribution-process.ts';
import { composeTestService } from './compose-test-service.ts';
import { purchase } from './fixtures.ts';
import { connect } from './test-database.ts';
import { useTransactions } from './transactions.ts';

const log: string[] = [];
const { service, list, record, patch, get } = useTransactions({ log });

test('a missing privilege while privileges change is answered with 503 and logged once', async () => {
  const owner = await connect(service().testDatabase.ownerConnection);
  expect((await list('')).status).toBe(200);
  await owner.query('revoke select on attribution from attribution');
  const answers = [await list(''), await list('')];
  await owner.query('grant select on attribution to attribution');
  for (const { status, body, headers } of answers) {
    expect([status, body.code]).toEqual([503, 'Unavailable']);
    expect(headers.get('retry-after')).toBe('1');
  }
  expect((await list('')).status).toBe(200);
  const lines = log.filter((line) => line.includes('permission denied for table attribution'));
  expect(lines.filter((line) => line.includes('migrate'))).toHaveLength(1);
});

test('workers without a privilege log it once a minute, not in every round', async () => {
  const { testDatabase } = service();
  const owner = await connect(testDatabase.ownerConnection);
  await owner.query('revoke select on unposted from attribution');
  const said: string[] = [];
  const composed = composeTestService(testDatabase.database, { logLevel: 'warn', log: said });
  const workers = startWorkers(composed, false);
  const about = () => said.filter((line) => line.includes('permission denied for table unposted'));
  await until('workers to complain', () => about().length > 0);
  await sleep(3_500); // each worker retries after a second
  await workers.stop();
  await composed.stop();
  await owner.query('grant select on unposted to attribution');
  const messages = about().map((line) => JSON.parse(line).msg);
  expect(messages).toEqual([...new Set(messages)]);
});

test('a change that deadlocks at each attempt is answered with 503 and not saved', async () => {
  const owner = await connect(service().testDatabase.ownerConnection);
  const transactionId = 'deadlocked';
  expect((await record(purchase({ transactionId }))).status).toBe(200);
  // Raises PostgreSQL's own error on every attempt.
  await owner.query(`
    create function deadlock() returns trigger language plpgsql as $$
    begin raise exception 'deadlock detected' using errcode = '40P01'; end $$;
    create trigger deadlock before update on attribution for each row execute function deadlock()`);
  const answer = await patch(transactionId, { json: { action: 'Refund' } });
  await owner.query('drop function deadlock cascade');
  expect([answer.status, answer.body.code]).toEqual([503, 'Unavailable']);
  expect(answer.headers.get('retry-after')).toBe('1');
  expect((await get(transactionId)).body).toMatchObject([{ transaction: { status: 'Normal' } }]);
  expect((await patch(transactionId, { json: { action: 'Refund' } })).status).toBe(200);
});
