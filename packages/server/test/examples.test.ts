import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../src/platform/clock.ts';
import { toBody } from '../src/webhooks/delivery/send/signature.ts';
import { eventKinds, testEventKind } from '../src/webhooks/event-kinds.ts';
import { toEventText } from '../src/webhooks/event-text.ts';
import { checkAll } from './bounties.ts';
import { expectDocumentedWebhook } from './documented-response.ts';
import { settleAll } from './money.ts';
import { type Answer, useService } from './test-service.ts';

type Json = Record<string, unknown>;
type Shown = { example?: unknown; examples?: Record<string, { value: unknown }> };

interface Operation {
  operationId: string;
  security: Json[];
  parameters?: (Shown & { name: string; in: string })[];
  requestBody?: { content: Record<string, Shown> };
  responses: Record<string, { content?: Record<string, Shown> }>;
}

interface Exchange {
  operationId: string;
  name: string;
  method: string;
  template: string;
  operation: Operation;
}

const service = useService();

/** Steps that run the examples. Later steps read objects that earlier steps create. */
const story = `
  ping listGroups listMembers getMemberByCode getMemberById getMemberByPlayer generateMember listTiers getTier
  createScheduledRevShare listScheduledRevShares replaceScheduledRevShare deleteScheduledRevShare
  createTransactions getTransaction listTransactions getAuthCode linkMember
  attachPlayerCode getPlayerCode getPlayerReferrals getCodeReferrals getReferralCode endPlayerCode
  nameOrder recordEvent listBounties getBounty getMemberProgress completeReward refundTransaction refundTransactions listRefunds
  reinstateRefund updateTransactions`
  .trim()
  .split(/\s+/);

const program = `
publisher:
  id: aurora
  name: Aurora Games
  apiKeys: [ { name: backend, kind: secret }, { name: client, kind: public } ]
  connectors: [ { name: Steam, provider: steam, settings: { steamAppId: '480' } } ]
groups:
  - id: main
    name: Aurora Creators
    default: true
    revShare: 10
    tiers: [ { id: 7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90, name: Gold, revShare: 20 } ]
    members:
      - { id: acc_alice, name: Alice, playerId: p-1, tier: Gold, playerMetadata: { displayName: Al },
          codes: [ { code: ALICE, primary: true }, { code: AL-1, generated: true, managed: true, group: main } ] }
      - { id: acc_bob, name: Bob, playerId: p-2, codes: [ { code: BOB, primary: true } ] }
    bounties:
      - id: first-win
        name: First sale and a win
        description: Make a sale and have a player win a match.
        startsAt: 2026-01-01T00:00:00Z
        objectives:
          - { id: sale, name: Sell, type: Purchase, count: 1 }
          - { id: win, name: A match won, type: Event, eventCode: match_won, count: 1 }
        rewards: [ { id: figure, name: A figure, type: External, externalId: figure-1 } ]
  - { id: moba, name: Aurora MOBA Creators, revShare: 8 }
`;

describe('the examples of the document', () => {
  let exchanges: Exchange[] = [];
  let refusals: Record<string, { content: Record<string, Shown> }> = {};
  const keys = new Map<string, string>();
  /** Generated values by the example value that they replace. */
  const made = new Map<string, string>();

  beforeAll(async () => {
    for (const { name, key } of await service().provision(program)) keys.set(name, key);
    const { connector_id } = await service()
      .testDatabase.database.db.selectFrom('connector')
      .select('connector_id')
      .executeTakeFirstOrThrow();
    made.set('d2Vn6wQx0Lk9RtZb4HsYc1Fa', connector_id);
    const document = (await service().call('GET', '/openapi.json')).body;
    exchanges = exchangesOf(document.paths);
    refusals = document.components.responses;
  });

  it('exist for every operation', () => {
    expect(new Set(exchanges.map(({ operationId }) => operationId))).toEqual(new Set(story));
  });

  it.each(story)('%s: the example request gets the documented response', async (operationId) => {
    await settleAll(service().testDatabase.database.db);
    await checkAll(service().testDatabase.database.db, systemClock.now());
    const told = exchanges.filter((each) => each.operationId === operationId);
    expect(told.length).toBeGreaterThan(0);
    for (const exchange of told) {
      const { status, answer } = exampleAnswer(exchange);
      const actual = await send(exchange);
      expect(actual.status, `${operationId} ${exchange.name}: ${actual.text}`).toBe(status);
      expect(learn(actual.body ?? actual.text, answer), `${operationId} ${exchange.name}`).toEqual(answer);
    }
  });

  it.each([
    ['Unauthorized', 401, 'GET', '/v1/attributions/ping', {}],
    ['Forbidden', 403, 'GET', '/v1/manage/groups', { of: 'client' }],
    [
      'UnsupportedMediaType',
      415,
      'POST',
      '/v1/events',
      { of: 'backend', headers: { 'content-type': 'text/csv' }, raw: 'a' },
    ],
    ['PayloadTooLarge', 413, 'POST', '/v1/events', { of: 'backend', json: 'a'.repeat(5 * 1024 * 1024) }],
  ] as const)('%s: shared errors match the document', async (name, status, method, path, sent) => {
    const { of = '', ...options } = { of: '', ...sent };
    const answer = await service().call(method, path, { ...options, key: keys.get(of) ?? null });
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual(refusals[name]?.content['application/json']?.example);
  });

  function send({ method, template, operation, name }: Exchange): Promise<Answer> {
    const query = new URLSearchParams();
    let path = template;
    for (const parameter of operation.parameters ?? []) {
      const value = shownAs(parameter, name);
      if (value === undefined) continue;
      if (parameter.in === 'path')
        path = path.replace(`{${parameter.name}}`, encodeURIComponent(asMade(String(value))));
      else for (const each of [value].flat()) query.append(parameter.name, String(each));
    }
    const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
    const body = (media && shownAs(media, name)) as Json | undefined;
    const isPublic = operation.security.some((each) => 'publicKey' in each);
    return service().call(method, query.size === 0 ? path : `${path}?${query}`, {
      key: keys.get(isPublic ? 'client' : 'backend') ?? null,
      ...(body !== undefined &&
        (type === 'application/json'
          ? { json: body }
          : {
              form: Object.fromEntries(
                Object.entries(body).map(([key, each]) => [key, asMade(String(each))]),
              ),
            })),
    });
  }

  const asMade = (text: string): string => made.get(text) ?? text;

  /** Replaces generated ids and times in the response with the example's. */
  function learn(actual: unknown, example: unknown, key = ''): unknown {
    if (typeof actual === 'string' && typeof example === 'string') {
      if (timesOfItsOwn.has(key)) return time.test(actual) ? example : actual;
      if (actual === example || !areMadeUp(actual, example)) return actual;
      const known = made.get(example);
      if (known === undefined) made.set(example, actual);
      return known === undefined || known === actual ? example : actual;
    }
    if (Array.isArray(actual) && Array.isArray(example))
      return actual.map((each, index) => learn(each, example[index]));
    if (!isObject(actual) || !isObject(example)) return actual;
    return Object.fromEntries(
      Object.entries(actual).map(([key, each]) => [key, learn(each, example[key], key)]),
    );
  }
});

describe('the webhooks of the document', () => {
  const kinds = [...eventKinds, testEventKind];
  let webhooks: Record<string, { post: { requestBody: { content: Record<string, Shown> } } }> = {};

  beforeAll(async () => {
    webhooks = (await service().call('GET', '/openapi.json')).body.webhooks;
  });

  it('exist for every kind of event', () => {
    expect(Object.keys(webhooks).sort()).toEqual(kinds.map((kind) => kind.split('/')[1]).sort());
  });

  it.each(kinds)('%s: the example is what the service would send', (kind) => {
    const [, action = ''] = kind.split('/');
    // biome-ignore lint/suspicious/noExplicitAny: an event of any shape
    const example = webhooks[action]?.post.requestBody.content['application/json']?.example as any;
    const { eventId, createdAt, event } = example;
    const at = new Date(`${createdAt.replace(' ', 'T').slice(0, 23)}Z`);
    const body = toBody({ eventId, createdAt: at, kind, event: toEventText(event) });
    expect(JSON.parse(body)).toEqual(example);
    expectDocumentedWebhook(service().app, example);
  });
});

const shapes = [
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, // row id
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.\w+$/, // part of a member's progress
  /^[A-Za-z0-9]{24}$/, // connector id
  /^[A-Za-z0-9_-]{21}$/, // schedule id
  /^[2-9A-Z]{4}-[2-9A-Z]{4}$/, // auth code
  /^[2-9A-Z]{8}$/, // code of a generated member
];
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const timesOfItsOwn: ReadonlySet<string> = new Set([
  'attachedAt',
  'expiresAt',
  'namedAt',
  'referralDate',
  'lastProgressCheck',
  'createdAt',
  'updatedAt',
]);
const areMadeUp = (one: string, other: string): boolean =>
  shapes.some((shape) => shape.test(one) && shape.test(other));
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Returns the examples for every response, except shared errors that operations reference. */
function exchangesOf(paths: Record<string, Record<string, Operation>>): Exchange[] {
  return Object.entries(paths).flatMap(([template, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const names = new Set(
        Object.values(operation.responses)
          .flatMap(({ content = {} }) => Object.values(content))
          .flatMap(({ example, examples = {} }) => (example === undefined ? Object.keys(examples) : [''])),
      );
      const { operationId } = operation;
      return [...names].map((name) => ({
        operationId,
        name,
        method: method.toUpperCase(),
        template,
        operation,
      }));
    }),
  );
}

const shownAs = ({ example, examples }: Shown, name: string): unknown => example ?? examples?.[name]?.value;

function exampleAnswer({ operation, name }: Exchange): { status: number; answer: unknown } {
  for (const [status, { content = {} }] of Object.entries(operation.responses))
    for (const media of Object.values(content)) {
      const answer = shownAs(media, name);
      if (answer !== undefined) return { status: Number(status), answer };
    }
  throw new Error(`${operation.operationId} has no response named ${name}`);
}
