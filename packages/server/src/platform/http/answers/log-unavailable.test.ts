import { expect, test } from 'vitest';
import { until } from '../../../../test/attribution-process.ts';
import { purchase } from '../../../../test/fixtures.ts';
import { useTransactions } from '../../../../test/transactions.ts';

const log: string[] = [];
const { service, keys, record } = useTransactions({ environment: { RECORD_QUEUE_ROWS: '1000' }, log });

interface Line {
  level: string;
  msg: string;
  requestId?: string;
  operation?: string;
  reason?: string;
  unavailable?: { operation: string; reason: string; count: number }[];
}

const linesOf = (level: string): Line[] =>
  log.map((line) => JSON.parse(line) as Line).filter((line) => line.level === level);

test('logs a line with the operation for each request at level debug', async () => {
  log.length = 0;
  await service().call('GET', '/v1/attributions/ping', { key: keys().backend });
  await fetch(`${service().url}/healthz`);
  await until('the lines', () => linesOf('debug').length >= 2);
  expect(linesOf('debug').map(({ operation }) => operation)).toEqual(['ping', '/healthz']);
});

test('logs ten 503 responses a second, and counts the others in one line', async () => {
  log.length = 0;
  const requests = 60;
  const large = Array.from({ length: 950 }, () => purchase());
  const answers = await Promise.all(Array.from({ length: requests }, () => record(large)));
  const refused = answers.filter(({ status }) => status === 503).length;
  expect(refused).toBeGreaterThan(20);
  const countOf = (line: Line): number =>
    line.unavailable?.reduce((sum, { count }) => sum + count, 0) ?? (line.operation === undefined ? 0 : 1);
  const counted = (): number => linesOf('warn').reduce((sum, line) => sum + countOf(line), 0);
  await until('all to be counted', () => counted() === refused, undefined, 5_000);
  const lines = linesOf('warn');
  const [first] = lines;
  expect(first).toMatchObject({
    msg: 'responded 503',
    requestId: expect.any(String),
    operation: 'createTransactions',
    reason: expect.stringContaining('waiting'),
  });
  const sums = lines.filter(({ unavailable }) => unavailable !== undefined);
  expect(sums.length).toBeGreaterThan(0);
  // After ten lines in a second, only a line with the count follows.
  expect(lines.length).toBeLessThanOrEqual(11 * (sums.length + 1));
  expect(lines.length).toBeLessThan(refused);
  expect(sums[0]).toMatchObject({
    msg: expect.stringMatching(/^\d+ more requests got 503 within a second$/),
    unavailable: [{ operation: 'createTransactions', reason: first?.reason, count: expect.any(Number) }],
  });
});
