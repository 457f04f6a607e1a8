import { beforeAll, describe, expect, test } from 'vitest';
import { type FixtureKeys, provisionFixtures, purchase } from '../../../../test/fixtures.ts';
import { useService } from '../../../../test/test-service.ts';

const service = useService();
let keys: FixtureKeys;
beforeAll(async () => {
  keys = await provisionFixtures(service());
});

const path = '/v1/attributions/transactions';

describe('a body of the wrong kind', () => {
  test('a form sent to an operation that reads JSON is told so, not that its fields are missing', async () => {
    const answer = await service().call('POST', path, {
      key: keys.backend,
      form: JSON.stringify(purchase()),
    });
    expect(answer.status).toBe(415);
    expect(answer.body.message).toContain('Content-Type: application/json');
  });

  test('broken JSON is called broken JSON', async () => {
    const answer = await service().call('POST', path, {
      key: keys.backend,
      headers: { 'content-type': 'application/json' },
      raw: '{"code":',
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ message: expect.stringContaining('not JSON') });
  });
});
