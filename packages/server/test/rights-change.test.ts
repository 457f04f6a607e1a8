import { expect, test } from 'vitest';
import { connect } from './test-database.ts';
import { useTransactions } from './transactions.ts';

const log: string[] = [];
const { service, list } = useTransactions({ log });

test('a right that is missing while rights change is 503, and is logged once', async () => {
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
