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
  test('gets a message about the content type, not about missing fields, when it is a form', async () => {
    const answer = await service().call('POST', path, {
      key: keys.backend,
      form: JSON.stringify(purchase()),
    });
    expect(answer.status).toBe(415);
    expect(answer.body.message).toContain('Content-Type header to application/json');
  });

  test('rejects invalid JSON as such', async () => {
    const answer = await service().call('POST', path, {
      key: keys.backend,
      headers: { 'content-type': 'application/json' },
      raw: '{"code":',
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ message: expect.stringContaining('not valid JSON') });
  });
});
