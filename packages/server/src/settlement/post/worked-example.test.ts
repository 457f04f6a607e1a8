import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { settleAll } from '../../../test/money.ts';
import { useService } from '../../../test/test-service.ts';
import { transactionPath, transactionsPath } from '../../../test/transactions.ts';

const service = useService();
const page = readFileSync(new URL('../../../../../docs/shares.md', import.meta.url), 'utf8');

test('the worked example in docs/shares.md is correct', async () => {
  const [, program = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const [key] = await service().provision(program);
  const sent = { key: key?.key ?? null };
  const lines = [...page.matchAll(/^\| (order-\d+) \|(.*)\|$/gm)].map(([, transactionId = '', rest = '']) => {
    const [code, skuId, sentPercent, transactionDate, subtotal, rule, percent, share] = rest
      .split('|')
      .map((cell) => cell.trim());
    return { transactionId, code, skuId, sentPercent, transactionDate, subtotal, rule, percent, share };
  });
  expect(lines).toHaveLength(12);
  for (const { transactionId, code, skuId, sentPercent, transactionDate, subtotal } of lines) {
    const { status } = await service().call('POST', transactionsPath, {
      ...sent,
      json: {
        transactionId,
        code,
        description: 'Example',
        subtotal: Number(subtotal),
        currency: 'USD',
        transactionDate,
        ...(skuId !== '' && { skuId }),
        ...(sentPercent !== '' && { memberSharePercent: Number(sentPercent) }),
      },
    });
    expect([transactionId, status]).toEqual([transactionId, 200]);
  }
  const { db } = service().testDatabase.database;
  await settleAll(db);
  for (const { transactionId, rule, percent, share } of lines) {
    const { body } = await service().call('GET', transactionPath(transactionId), sent);
    const { rows } = await sql<{ share_rule: string }>`
      select share_rule from attribution where attribution_id = ${body[0].transaction.id}::uuid`.execute(db);
    const { memberSharePercent, memberShareAmount } = body[0].transaction;
    expect([transactionId, rows[0]?.share_rule, memberSharePercent, memberShareAmount]).toEqual([
      transactionId,
      rule,
      Number(percent),
      Number(share),
    ]);
  }
});
