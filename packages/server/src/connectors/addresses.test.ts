import { expect, test } from 'vitest';
import { asRole } from '../../test/admin.ts';
import { listActions, type ShownEvent, useConnectors } from '../../test/connectors.ts';

let now = new Date('2026-05-02T12:00:00Z');
const connectors = useConnectors({ now: () => now });
const { shop, send, deliver, work, outcomes, events, get, owner, service } = connectors;

let orders = 0;
const newOrder = (): string => {
  orders += 1;
  return `pi_address_${orders}`;
};

test('an unknown address is answered as any other, without reading the body', async () => {
  const body = { message: expect.any(String), code: 'NotFound' };
  for (const id of ['x', 'A'.repeat(24), '%00', 'A'.repeat(25)]) {
    const answer = await service().call('POST', `/hooks/v1/${id}`, { json: {} });
    expect([id, answer.status, answer.body]).toEqual([id, 404, body]);
  }
});

test('a wrong signature, or one of another connector, stores nothing', async () => {
  const [one, other] = [await shop('stripe'), await shop('stripe', { secret: 'whsec_of_the_other' })];
  for (const secret of ['whsec_wrong_secret', other.secret]) {
    const answer = await send(one, { id: 'evt_1', type: 'x', data: { object: {} } }, { secret });
    expect(answer.status).toBe(403);
  }
  expect(await events(one)).toEqual([]);
  const { body } = await owner()('GET', `/connectors/${one.id}`);
  expect(body.refused).toEqual({ at: now.toISOString(), reason: 'WrongSignature' });
  expect(JSON.stringify(body)).not.toContain(one.secret);
});

test('Xsolla gets the answer that its test expects', async () => {
  const xsolla = await shop('xsolla');
  expect(await send(xsolla, {}, { secret: 'wrong secret' })).toMatchObject({
    status: 400,
    body: { error: { code: 'INVALID_SIGNATURE' } },
  });
  const validation = { notification_type: 'user_validation', user: { id: 'p-1' } };
  expect(await send(xsolla, validation)).toMatchObject({
    status: 404,
    body: { error: { code: 'INVALID_USER' } },
  });
  const direct = await shop('xsolla', { settings: { isShopAddress: true } });
  expect((await send(direct, validation)).status).toBe(204);
  expect(await events(direct)).toEqual([]);
});

test('without a secret, everything is rejected', async () => {
  const { body } = await owner()('POST', '/connectors', { name: 'no secret', provider: 'stripe' });
  const none = { id: body.connectorId, provider: 'stripe', settings: {}, secret: 'whsec_anything' };
  expect((await send(none, {})).status).toBe(403);
  expect((await owner()('GET', `/connectors/${none.id}`)).body.refused.reason).toBe('NoSecret');
});

test('while the secret changes, both are accepted', async () => {
  const stripe = await shop('stripe');
  const path = `/connectors/${stripe.id}/secrets`;
  expect((await owner()('POST', path, { secret: 'whsec_the_new_one' })).body.secretChangeStartedAt).toBe(
    now.toISOString(),
  );
  expect((await owner()('POST', path, { secret: 'whsec_a_third_one' })).status).toBe(409);
  const event = (id: string) => ({ id, type: 'ping', data: { object: {} } });
  expect((await send(stripe, event('evt_old'))).status).toBe(200);
  expect((await send(stripe, event('evt_new'), { secret: 'whsec_the_new_one' })).status).toBe(200);
  expect((await owner()('DELETE', `${path}/old`)).body.secretChangeStartedAt).toBe(null);
  expect((await send(stripe, event('evt_late'))).status).toBe(403);
});

test('a signed body that is no event is stored as unreadable, and read again after a change', async () => {
  const own = await shop('generic');
  for (const raw of ['not json', '{}', '[1]', '"x"', 'null', '{"type":"order.paid"}']) {
    const { status } = await send(own, null, { raw: Buffer.from(raw) });
    expect([raw, status]).toEqual([raw, 200]);
  }
  expect((await send(own, null, { raw: Buffer.from([0xff, 0xfe]) })).status).toBe(200);
  await work();
  expect(new Set(await outcomes(own))).toEqual(new Set(['Failed Unreadable']));
  const paid = {
    type: 'order.paid',
    time: now.toISOString(),
    order: { id: '7', code: 'ALICE', subtotal: 5, currency: 'USD' },
  };
  await send(own, { ...paid, order: { ...paid.order, sum: 500, subtotal: undefined } });
  await work();
  expect((await outcomes(own)).at(-1)).toBe('Failed Unreadable');
  const settings = { generic: { subtotal: '/order/sum', code: '/order/code' } };
  await owner()('PATCH', `/connectors/${own.id}`, { settings });
  expect((await owner()('POST', `/connectors/${own.id}/events/replay`)).body.replayed).toBe(8);
  await work();
  expect((await outcomes(own)).at(-1)).toBe('Done Recorded');
  expect((await get('generic:7')).body[0].transaction).toMatchObject({ subtotal: 500, code: 'ALICE' });
});

test('texts that a database can’t store are stored without their control characters', async () => {
  const own = await shop('generic');
  const order = {
    id: 'nul\u0000-1',
    creatorCode: 'ALICE\u0000',
    playerId: 'p\u0007',
    subtotal: 5,
    currency: 'USD',
  };
  const event = { id: 'e\u0000', type: 'order.paid', time: now.toISOString(), order };
  expect((await send(own, event)).status).toBe(200);
  expect((await send(own, { ...event, id: 'other', type: 'nul\u0000' })).status).toBe(200);
  await work();
  expect(await outcomes(own)).toEqual(['Done Recorded', 'Ignored Type']);
  expect((await get('nul -1')).body[0].transaction).toMatchObject({ code: 'ALICE', subtotal: 5 });
});

test('a body of more than 1 MiB is rejected', async () => {
  const stripe = await shop('stripe');
  const raw = Buffer.alloc(1024 * 1024 + 1, ' ');
  expect((await send(stripe, null, { raw })).status).toBe(413);
});

test('many wrong signatures are limited for their address, and cost no other connector', async () => {
  const [stripe, other] = [await shop('stripe'), await shop('stripe')];
  const statuses = new Set<number>();
  for (let count = 0; count < 60; count += 1)
    statuses.add((await send(stripe, {}, { secret: 'whsec_wrong_secret' })).status);
  expect(statuses).toEqual(new Set([403, 429]));
  expect(await deliver(other, 'order_paid', { orderId: newOrder() })).toBe(200);
  now = new Date(now.getTime() + 20_000);
  expect(await deliver(stripe, 'order_paid', { orderId: newOrder() })).toBe(200);
});

test('a test goes the whole way, and the check shows each step', async () => {
  const stripe = await shop('stripe');
  const since = encodeURIComponent(now.toISOString());
  const check = async () =>
    (await owner()('GET', `/connectors/${stripe.id}/check?since=${since}`)).body.checks.map(
      ({ check, state }: { check: string; state: string }) => `${check} ${state}`,
    );
  expect(await check()).toEqual(['arrived waiting', 'signature waiting', 'code waiting', 'recorded waiting']);
  await send(stripe, {}, { secret: 'whsec_wrong_secret' });
  expect((await check()).slice(0, 2)).toEqual(['arrived passed', 'signature failed']);
  const wrong = await owner()('POST', `/connectors/${stripe.id}/tests`, { code: 'NOBODY' });
  expect(wrong.body.event).toMatchObject({
    status: 'Ignored',
    reason: 'CodeNotInGroup',
    missingCode: 'nobody',
  });
  expect((await check()).slice(1)).toEqual(['signature passed', 'code failed', 'recorded waiting']);
  const { status, body } = await owner()('POST', `/connectors/${stripe.id}/tests`, { code: 'alice' });
  expect([status, body.event]).toEqual([
    200,
    expect.objectContaining({
      status: 'Done',
      reason: 'Recorded',
      isTest: true,
      isSample: true,
      transactionId: body.orderId,
    }),
  ]);
  expect(body.event.rows).toMatchObject([{ code: 'ALICE', subtotalMinor: '999', status: 'Test' }]);
  expect(await check()).toEqual(['arrived passed', 'signature passed', 'code passed', 'recorded passed']);
  expect(await listActions(connectors, `connector:${stripe.id}`)).toEqual([
    'connector.test',
    'connector.test',
    'connector.create',
  ]);
});

test('a sample counts neither as an event of the provider, nor against a later request that was rejected', async () => {
  const stripe = await shop('stripe');
  const listed = async () =>
    (await owner()('GET', '/connectors')).body.rows.find(
      ({ connectorId }: { connectorId: string }) => connectorId === stripe.id,
    );
  const since = now.toISOString();
  const check = async () => (await owner()('GET', `/connectors/${stripe.id}/check?since=${since}`)).body;
  expect((await owner()('POST', `/connectors/${stripe.id}/tests`, { code: 'ALICE' })).status).toBe(200);
  await work();
  expect((await check()).event).toMatchObject({ isSample: true });
  expect(await listed()).toMatchObject({ lastEventAt: null, lastRecordedAt: null });
  now = new Date(now.getTime() + 6_000);
  await send(stripe, {}, { secret: 'whsec_wrong_secret' });
  expect(await check()).toMatchObject({ event: null, checks: [{}, { state: 'failed' }, {}, {}] });
  now = new Date(now.getTime() + 1_000);
  const orderId = newOrder();
  expect(await deliver(stripe, 'order_paid', { orderId })).toBe(200);
  await work();
  expect(await listed()).toMatchObject({
    lastEventAt: now.toISOString(),
    lastRecordedAt: now.toISOString(),
  });
  now = new Date(now.getTime() + 1_000);
  await owner()('POST', `/connectors/${stripe.id}/tests`, { code: 'NONE' });
  expect(await check()).toMatchObject({
    event: { isSample: false, orderId },
    checks: [{ detail: null }, {}, {}, { state: 'passed' }],
  });
});

test('a connector rejects requests until one has a valid signature, even if that is a sample or a repeat', async () => {
  const stripe = await shop('stripe');
  const state = async () => {
    const { refused, refusedSince } = (await owner()('GET', `/connectors/${stripe.id}`)).body;
    return { lastAt: refused?.at ?? null, refusedSince };
  };
  const later = (): string => {
    now = new Date(now.getTime() + 6_000);
    return now.toISOString();
  };
  const orderId = newOrder();
  await deliver(stripe, 'order_paid', { orderId });
  expect(await state()).toEqual({ lastAt: null, refusedSince: null });
  const first = later();
  await send(stripe, {}, { secret: 'whsec_wrong_secret' });
  const second = later();
  await send(stripe, {}, { secret: 'whsec_wrong_secret' });
  expect(await state()).toEqual({ lastAt: second, refusedSince: first });
  later();
  await deliver(stripe, 'order_paid', { orderId });
  expect(await state()).toEqual({ lastAt: second, refusedSince: null });
  const third = later();
  await send(stripe, {}, { secret: 'whsec_wrong_secret' });
  expect(await state()).toEqual({ lastAt: third, refusedSince: third });
  await owner()('POST', `/connectors/${stripe.id}/tests`, { code: 'ALICE' });
  expect(await state()).toEqual({ lastAt: third, refusedSince: null });
});

test('what arrived is shown until the event is done, and never a signature', async () => {
  const stripe = await shop('stripe');
  const orderId = newOrder();
  await deliver(stripe, 'order_paid', { orderId });
  const [event] = await events(stripe);
  const read = async () => (await owner()('GET', `/connectors/${stripe.id}/events/${event.eventId}`)).body;
  const waiting = await read();
  expect(JSON.parse(waiting.body).data.object.payment_intent).toBe(orderId);
  expect(waiting.reading).toContainEqual({ name: 'code', value: 'ALICE' });
  expect(JSON.stringify(waiting)).not.toMatch(/v1=|whsec_/);
  await work();
  expect(await read()).toMatchObject({ body: null, rows: [{ code: 'ALICE', subtotalMinor: '999' }] });
});

test('the list shows the amounts that were read, with their currency', async () => {
  const stripe = await shop('stripe');
  for (const [fixture, orderId] of [
    ['order_paid', newOrder()],
    ['refund_part', newOrder()],
    ['dispute_opened', newOrder()],
  ] as const)
    await deliver(stripe, fixture, { orderId });
  await send(stripe, { id: 'evt_other', type: 'customer.created', data: { object: {} } });
  await send(stripe, { broken: true });
  const shown = (await events(stripe)).map(({ kind, amount }: ShownEvent) => [kind, amount]);
  expect(shown).toEqual([
    ['Sale', { minor: '1200', currency: 'USD' }],
    ['Refund', { minor: '600', currency: 'USD' }],
    ['Dispute', { minor: '1200', currency: 'USD' }],
    ['Ignored', null],
    ['Unreadable', null],
  ]);
});

test('another publisher sees no connector, and a removed one answers 404', async () => {
  const stripe = await shop('stripe');
  const rival = await asRole(service(), 'owner', 'rival');
  expect((await rival('GET', '/connectors')).body.rows).toEqual([]);
  for (const [method, path] of [
    ['GET', ''],
    ['DELETE', ''],
    ['GET', '/events'],
    ['POST', '/events/replay'],
  ] as const)
    expect((await rival(method, `/connectors/${stripe.id}${path}`)).status).toBe(404);
  expect((await owner()('DELETE', `/connectors/${stripe.id}`)).body).toEqual({ removed: true });
  expect((await send(stripe, {})).status).toBe(404);
});

test.each([
  ['an unknown provider', { provider: 'paypal' }],
  ['a name without characters', { name: '' }],
  ['an unknown group', { groupId: 'nowhere' }],
  ['a setting of another provider', { settings: { isShopAddress: true } }],
  ['an unknown setting', { settings: { code: 'x' } }],
  ['a short secret', { secret: 'short' }],
])('%s is rejected', async (_what, changes) => {
  const { status, body } = await owner()('POST', '/connectors', {
    name: 'x',
    provider: 'stripe',
    ...changes,
  });
  expect([status >= 400 && status < 500, typeof body.message]).toEqual([true, 'string']);
  expect(
    (await owner()('GET', '/connectors')).body.rows.map(({ name }: { name: string }) => name),
  ).not.toContain('x');
});

test.each([
  ...['order.id', 'order/id', '/order//id', '/order/', '/', ''].map((code) => ({ code })),
  ...['X-Signature:', 'X Signature', ''].map((header) => ({ header })),
  ...['{t}', '{body}{body}', '{time}.{body}', ''].map((signed) => ({ signed })),
])('the format %j of a shop is rejected', async (generic) => {
  const { status, body } = await owner()('POST', '/connectors', {
    ...{ name: 'x', provider: 'generic', settings: { generic } },
  });
  expect([status, body.code]).toEqual([400, 'InvalidInput']);
});
