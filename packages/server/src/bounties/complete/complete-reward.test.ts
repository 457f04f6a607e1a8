import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entriesOf } from '../../../test/audit.ts';
import { useBounties } from '../../../test/bounties.ts';
import { preflight } from '../../../test/management.ts';
import { type CallOptions, startService, type TestService } from '../../../test/test-service.ts';

const at = useBounties();
const { define, earn, settleAndCheck, given, group } = at;
let other: TestService;
beforeAll(async () => {
  other = await startService({ beside: at.service() });
});
afterAll(() => other.close());

const complete = (
  rewardId: string,
  options: CallOptions & { at?: TestService } = {},
  query = `?groupId=${group()}`,
) => at.bounties('POST', `/bounties/complete-reward/${encodeURIComponent(rewardId)}${query}`, options);
const notFound = { code: 'BountyNotFound', message: 'Bounty Reward not found' };

const giveRewards = async (groupId = group()) => {
  const id = await define(
    {
      rewards: [
        { name: 'Trophy', type: 'External', externalId: 'trophy' },
        { name: 'Bonus', type: 'Payment', amount: 500, currency: 'USD' },
        { name: 'Sword', type: 'Sku', sku: { id: 'sword' } },
        { name: 'Thanks', type: 'External' },
      ],
    },
    groupId,
  );
  await earn(groupId, 'A', 10);
  await settleAndCheck();
  const { body } = await at.bounties('GET', `/bounties/${id}?groupId=${groupId}&includeProgress=true`);
  const rewards = body.progress.data[0].completedObjectives[0].rewards.map((each: { id: string }) => each.id);
  return { id, external: rewards[0], payment: rewards[1], sku: rewards[2], plain: rewards[3] };
};

describe('an External reward', () => {
  test.each([
    ['a form', { form: { referenceId: 'parcel 1 ü' } }],
    ['JSON', { json: { referenceId: 'parcel 1 ü' } }],
    ['JSON with more in it', { json: { referenceId: 'parcel 1 ü', rewardCompleted: false, id: 7 } }],
  ])('is completed with %s, which the lists show', async (_what, body) => {
    const { id, external } = await giveRewards();
    const record = {
      id: external,
      name: 'Trophy',
      externalId: 'trophy',
      rewardCompleted: true,
      rewardReferenceId: 'parcel 1 ü',
    };
    const answer = await complete(external, body);
    expect([answer.status, answer.body]).toEqual([200, record]);
    expect((await given(id))[0]).toEqual({ ...record, type: 'External' });
    expect((await complete(external.toUpperCase(), body)).body).toEqual(record);
  });

  test.each([
    ['no body', {}],
    ['an empty form', { form: {} }],
    ['an empty referenceId', { form: { referenceId: '' } }],
    ['null', { json: null }],
    ['no reference in JSON', { json: {} }],
  ])("is completed with %s, without a reference, and can't get one later", async (_what, body) => {
    const { plain } = await giveRewards();
    const record = { id: plain, name: 'Thanks', rewardCompleted: true };
    expect((await complete(plain, body)).body).toEqual(record);
    const again = await complete(plain, { form: { referenceId: 'late' } });
    expect([again.status, again.body]).toEqual([200, record]);
  });

  test('is completed without a body, with any content type', async () => {
    for (const type of [null, 'application/json', 'application/x-www-form-urlencoded', 'text/plain', 'x']) {
      const { plain } = await giveRewards();
      const headers: Record<string, string> = type === null ? {} : { 'content-type': type };
      const answer = await complete(plain, { headers });
      expect([type, answer.status, answer.body.rewardCompleted]).toEqual([type, 200, true]);
    }
    const { plain } = await giveRewards();
    const written = await complete(plain, { raw: 'x', headers: { 'content-type': 'text/plain' } });
    expect(written.status).toBe(415);
  });

  test('keeps the first reference of fifty simultaneous requests to two processes', async () => {
    const { id, external } = await giveRewards();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        complete(external, {
          form: { referenceId: `ref-${index}` },
          ...(index % 2 === 0 && { at: other }),
        }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const references = new Set(answers.map(({ body }) => body.rewardReferenceId));
    expect(references.size).toBe(1);
    expect((await given(id))[0]?.rewardReferenceId).toBe([...references][0]);
  });
});

describe('the audit log', () => {
  test('contains one entry for a completion, in the same commit, after many simultaneous requests', async () => {
    const { id, external, plain } = await giveRewards();
    const entries = await entriesOf(at.db(), () =>
      Promise.all(
        Array.from({ length: 20 }, () =>
          complete(external, { form: { referenceId: 'parcel' }, headers: { 'x-request-id': 'ticket-1' } }),
        ),
      ),
    );
    expect(entries).toEqual([
      {
        publisher_id: 'aurora',
        actor_kind: 'key',
        actor_id: expect.any(String),
        actor_name: 'backend',
        address: '127.0.0.1',
        request_id: 'ticket-1',
        command: null,
        action: 'bounty-reward.complete',
        target: `bounty-reward:${external}`,
        before: { rewardCompleted: false },
        after: { rewardCompleted: true, rewardReferenceId: 'parcel' },
        reason: null,
        xmin: expect.any(String),
      },
    ]);
    const rows = await at.query(sql<{ xmin: string }>`
      select xmin from progress_reward where progress_reward_id = ${external}::uuid`);
    expect(rows).toEqual([{ xmin: entries[0]?.xmin }]);
    expect(await entriesOf(at.db(), () => complete(plain))).toMatchObject([
      { target: `bounty-reward:${plain}`, after: { rewardCompleted: true } },
    ]);
    expect((await given(id))[0]?.rewardReferenceId).toBe('parcel');
  });

  test('contains no entry for rejected requests or for completions by the worker', async () => {
    const entries = await entriesOf(at.db(), async () => {
      const { payment, external } = await giveRewards();
      expect((await complete(payment)).status).toBe(404);
      expect((await complete(external, { form: { referenceId: 'x'.repeat(256) } })).status).toBe(400);
      expect((await complete(external, { key: at.keys().rival }, '')).status).toBe(404);
      expect((await complete(external, { key: at.keys().client })).status).toBe(403);
    });
    expect(entries.filter(({ action }) => action.startsWith('bounty-reward'))).toEqual([]);
  });
});

describe('rejects', () => {
  test('Payment and Sku rewards and unknown or invalid ids with the same message', async () => {
    const { payment, sku, external } = await giveRewards();
    for (const id of [payment, sku, '0197a000-0000-7000-8000-000000000001', 'x', "'", 'a/b', 'trophy']) {
      const answer = await complete(id, { form: { referenceId: 'r' } });
      expect([answer.status, answer.body], id).toEqual([404, notFound]);
    }
    expect((await complete(external)).body).not.toHaveProperty('rewardReferenceId');
  });

  test('a reward of another group, also for a scoped key, and of another publisher', async () => {
    const { external } = await giveRewards();
    for (const [query, key] of [
      ['', at.keys().backend],
      ['?groupId=moba', at.keys().backend],
      [`?groupId=${group()}`, at.keys().moba],
      ['', at.keys().rival],
    ] as const) {
      const answer = await complete(external, { key, form: { referenceId: 'r' } }, query);
      expect([answer.status, answer.body]).toEqual([404, notFound]);
    }
    await at
      .service()
      .provision(
        '{ publisher: { id: aurora }, groups: [ { id: moba, members: [ { id: acc_dora, codes: [ { code: M-A, group: moba } ] } ] } ] }',
      );
    const mobas = await giveRewards('moba');
    expect((await complete(mobas.external, { key: at.keys().moba }, '?groupId=nonsense')).status).toBe(200);
  });

  test('an unknown group with 404 InvalidGroup', async () => {
    const { external } = await giveRewards();
    const answer = await complete(external, {}, '?groupId=nowhere');
    expect([answer.status, answer.body.code]).toEqual([404, 'InvalidGroup']);
  });

  test('a public, missing or invalid key before anything else', async () => {
    expect((await complete('x', { key: at.keys().client })).status).toBe(403);
    expect((await complete('x', { key: null })).status).toBe(401);
    expect((await complete('x', { key: 'svc_sk_nonsense' })).status).toBe(401);
    const { headers } = await preflight(at.service(), '/v1/bounties/complete-reward/x', 'POST');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  test.each([
    ['a number', { json: { referenceId: 7 } }, 400],
    ['null', { json: { referenceId: null } }, 400],
    ['a list', { json: ['r'] }, 400],
    ['a string', { json: 'r' }, 400],
    ['256 characters', { form: { referenceId: 'x'.repeat(256) } }, 400],
    ['U+0000', { json: { referenceId: 'a\u0000' } }, 400],
    [
      'a lone surrogate',
      { raw: '{"referenceId":"\\ud800"}', headers: { 'content-type': 'application/json' } },
      400,
    ],
    ['it twice', { form: 'referenceId=a&referenceId=b' }, 400],
    ['XML', { raw: '<r/>', headers: { 'content-type': 'text/xml' } }, 415],
  ])('a reference that is %s', async (_what, options, status) => {
    const { external, id } = await giveRewards();
    const answer = await complete(external, options);
    expect([answer.status, answer.body.code]).toEqual([status, 'InvalidInput']);
    expect((await given(id))[0]?.rewardCompleted).toBe(false);
    const longest = 'é'.repeat(255);
    expect((await complete(external, { form: { referenceId: longest } })).body.rewardReferenceId).toBe(
      longest,
    );
  });
});
