import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../server/src/platform/clock.ts';
import { namedStatements } from '../../../server/src/platform/database/connections/named-statements.ts';
import { startDelivery } from '../../../server/src/webhooks/delivery/delivery-worker.ts';
import { createSender } from '../../../server/src/webhooks/delivery/send/send-request.ts';
import { publishEvents } from '../../../server/src/webhooks/publish-events.ts';
import { until } from '../../../server/test/attribution-process.ts';
import { addEndpoint } from '../../../server/test/endpoints.ts';
import { purchase } from '../../../server/test/fixtures.ts';
import { startReceiver } from '../../../server/test/receiver.ts';
import { testSealer } from '../../../server/test/sealer.ts';
import { closing, standardSignatures } from '../../../server/test/webhooks.ts';
import { woken } from '../../../server/test/woken.ts';
import { hasBrowser, useDashboard } from '../browser.ts';
import { isSettled } from '../screens.ts';

const { open, service, keys } = useDashboard({ environment: { WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true' } });

const publish = (count: number): Promise<unknown> =>
  publishEvents(
    service().testDatabase.database.db,
    'aurora',
    Array.from({ length: count }, (_each, n) => ({
      kind: 'GroupManagement/NewMember' as const,
      event: { memberId: `acc_${n}`, name: 'Somebody' },
    })),
  );

/** Delivers until stopped, or until the test ends. */
function deliver(): () => Promise<void> {
  const { database } = service().testDatabase;
  const sender = createSender({ clock: systemClock, allowPrivateTargets: true });
  const onError = (): void => undefined;
  const started = startDelivery({
    db: database.db,
    statements: namedStatements(database.backgroundPool, true),
    sender,
    sealer: testSealer,
    clock: systemClock,
    isSpread: false,
    intervalMs: 20,
    maxTaken: 100,
    patienceAtStopMs: 200,
    onAttempt: () => undefined,
    onSwitchedOff: () => undefined,
    onError,
  });
  const worker = woken(database.db, started, onError);
  const stop = async (): Promise<void> => {
    await worker.stop();
    await sender.close();
  };
  onTestFinished(stop);
  return stop;
}

test.skipIf(!hasBrowser)(
  'adds an endpoint, shows why it fails in two clicks, and sends test events and missed events',
  async () => {
    let isWorking = false;
    const receiver = closing(
      await startReceiver((response) =>
        response.writeHead(isWorking ? 200 : 500).end(isWorking ? '' : 'no room left'),
      ),
    );
    const page = await open('developer', '/p/aurora/webhooks');
    await page.getByRole('heading', { name: 'No endpoints yet' }).waitFor();
    await isSettled(page);
    await page.getByRole('button', { name: 'Add endpoint' }).first().click();
    const form = page.getByRole('dialog', { name: 'Add endpoint' });
    await form.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
    await form.getByRole('button', { name: 'Add endpoint', exact: true }).click();
    const shown = page.getByRole('dialog', { name: 'Endpoint secret' });
    const secret = (await shown.locator('[data-shown-once]').textContent()) ?? '';
    expect(secret).toMatch(/^whsec_/);
    await shown.getByRole('button', { name: 'I’ve saved it' }).click();
    await page.getByRole('heading', { name: 'Deliveries', exact: true }).waitFor();
    expect(await page.content()).not.toContain(secret);

    const stop = deliver();
    await publish(3);
    await until('a failure', async () => receiver.received.length > 0);
    // Two clicks: bell, endpoint, whose last failed delivery is open. A slow machine has made a second attempt by then.
    await page.goto(`${service().url}/p/aurora/webhooks`);
    await page.getByRole('button', { name: /needs? attention$/ }).click();
    await page.getByRole('menuitem', { name: 'A webhook endpoint is failing' }).click();
    const drawer = page.getByRole('dialog', { name: 'Delivery' });
    await drawer.getByText('no room left').first().waitFor();
    await drawer.getByText('Only status 200 counts as delivered.').first().waitFor();

    // Three clicks from any screen: Webhooks, Send events, send. In this journey, test events come first.
    await stop(); // so that no retry delivers the failed events
    await page.goto(`${service().url}/p/aurora/webhooks`);
    await page.getByRole('link', { name: `Send events to ${receiver.url}` }).click();
    const panel = page.getByRole('region', { name: 'Send events' });
    const sent = panel.getByRole('table', { name: 'Sent events' });
    await panel.getByText('3 events will be sent.').waitFor();
    const warning = panel.getByRole('alert').filter({ hasText: 'This endpoint is failing' });
    await warning.getByText('Events that you send now are likely to fail').waitFor();
    await warning.getByRole('button', { name: 'Choose a test event' }).click();
    await panel.getByLabel('Kind of event').selectOption('NewMember');
    await panel.getByRole('button', { name: 'Send test event' }).click();
    await sent.getByText('NewMember (test)').waitFor();
    await sent.getByText('status 500').waitFor();
    await panel.getByText('no room left').waitFor();
    isWorking = true;
    await panel.getByRole('button', { name: 'Send again' }).click();
    await sent.getByText('status 200').waitFor();
    expect(receiver.received.at(-1)?.json).toMatchObject({
      eventAction: 'NewMember',
      event: { isTest: true },
    });
    await panel.getByText('Past events').click();
    await panel.getByLabel('Kind of event').selectOption('RemovedMember');
    await panel.getByText('There’s nothing to send.').waitFor();
    await panel.getByLabel('Kind of event').selectOption('All kinds');
    await panel.getByRole('button', { name: 'Send 3 events' }).click();
    await panel.getByText('0 of 3 delivered, 3 waiting.').waitFor();
    deliver();
    await panel.getByText('3 of 3 delivered.').waitFor();
    await page.getByText('4 of 5 delivered, 1 failed').waitFor();
    await panel.getByText('There’s nothing to send.').waitFor();
    const delivered = receiver.received;
    const last = delivered.at(-1);
    if (last === undefined) throw new Error('no request was received');
    expect(standardSignatures(last, secret)).toBe(1);
  },
);

test.skipIf(!hasBrowser)('rotates a secret in steps, with both secrets signing in between', async () => {
  const receiver = closing(await startReceiver());
  const page = await open('owner', '/p/aurora/webhooks', { colorScheme: 'dark' });
  await isSettled(page);
  await page.getByRole('button', { name: 'Add endpoint' }).first().click();
  await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
  await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint', exact: true }).click();
  const old = (await page.locator('[data-shown-once]').textContent()) ?? '';
  await page.getByRole('button', { name: 'I’ve saved it' }).click();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Rotate secret' }).click();
  await page.getByRole('button', { name: 'Add new secret' }).click();
  const next = (await page.locator('[data-shown-once]').textContent()) ?? '';
  await page.getByRole('button', { name: 'I’ve saved it' }).click();
  await page.getByRole('button', { name: 'Send test' }).last().click();
  await page.getByText('The test was accepted.').waitFor();
  const [first] = receiver.received;
  if (first === undefined) throw new Error('no request was received');
  expect([standardSignatures(first, old), standardSignatures(first, next)]).toEqual([1, 1]);
  await page.getByRole('button', { name: 'Remove old secret' }).click();
  await page.getByText('Only the new secret signs requests now.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Send events' }).click();
  await page.getByRole('button', { name: 'Send test event' }).click();
  await page.getByText('1 of 1 delivered.').waitFor();
  const last = receiver.received.at(-1);
  if (last === undefined) throw new Error('no request was received');
  expect([standardSignatures(last, old), standardSignatures(last, next)]).toEqual([0, 1]);
});

test.skipIf(!hasBrowser)('shows overdue deliveries at their endpoint and at their purchase', async () => {
  const { db } = service().testDatabase.database;
  const url = 'https://late.example/hook';
  await addEndpoint(db, 'aurora', url, ['Attribution/TransactionRecorded']);
  const sent = purchase({ transactionId: 'late', transactionDate: new Date().toISOString() });
  await service().call('POST', '/v1/attributions/transactions', { key: keys().backend, json: sent });
  const page = await open('developer', '/p/aurora/webhooks');
  const row = page.getByRole('row').filter({ hasText: url });
  await row.getByText('On', { exact: true }).waitFor();
  const minutesAgo = new Date(Date.now() - 180_000);
  await db.updateTable('webhook_delivery').set({ next_attempt_at: minutesAgo }).execute();
  await addEndpoint(db, 'aurora', 'https://late.example/other', ['Bounty/BountyReward']);
  await page.reload();
  await row.getByText('Overdue').waitFor();
  await row.getByText(/^since/).waitFor();
  await page.goto(`${service().url}/p/aurora/overview`);
  await page.getByRole('link', { name: 'Webhook deliveries are overdue' }).click();
  // Another endpoint has the same host, so the path tells them apart.
  await page.getByRole('heading', { name: 'late.example/hook', level: 1 }).waitFor();
  await page.getByRole('main').locator('dl').getByText('Overdue').waitFor();
  await page.goto(`${service().url}/p/aurora/transactions?open=late`);
  const drawer = page.getByRole('dialog', { name: 'Purchase' });
  await drawer.getByText(`${url}: Overdue`).waitFor();
  await drawer.getByRole('link', { name: 'TransactionRecorded', exact: true }).waitFor();
  const support = await open('support', '/p/aurora/transactions?open=late');
  await support.getByRole('dialog', { name: 'Purchase' }).getByText(': Waiting').waitFor();
});

test.skipIf(!hasBrowser)('hides the webhooks screen from a role without the permission', async () => {
  const page = await open('finance', '/p/aurora/webhooks');
  await page.getByRole('heading', { name: 'You don’t have access to this page' }).waitFor();
  expect(await page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
});
