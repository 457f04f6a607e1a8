import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../server/src/platform/clock.ts';
import { namedStatements } from '../../../server/src/platform/database/connections/named-statements.ts';
import { startDelivery } from '../../../server/src/webhooks/delivery/delivery-worker.ts';
import { createSender } from '../../../server/src/webhooks/delivery/send/send-request.ts';
import { publishEvents } from '../../../server/src/webhooks/publish-events.ts';
import { until } from '../../../server/test/attribution-process.ts';
import { startReceiver } from '../../../server/test/receiver.ts';
import { testSealer } from '../../../server/test/sealer.ts';
import { closing, standardSignatures } from '../../../server/test/webhooks.ts';
import { woken } from '../../../server/test/woken.ts';
import { hasBrowser, useDashboard } from '../browser.ts';

const { open, service } = useDashboard({ environment: { WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true' } });

const publish = (count: number): Promise<unknown> =>
  publishEvents(
    service().testDatabase.database.db,
    'aurora',
    Array.from({ length: count }, (_each, n) => ({
      kind: 'GroupManagement/NewMember' as const,
      event: { memberId: `acc_${n}`, name: 'Somebody' },
    })),
  );

/** Delivers until it is told to stop, or the test ends. */
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
  'an endpoint is added, fails, says why in two clicks, and gets what it missed',
  async () => {
    let isWell = false;
    const receiver = closing(
      await startReceiver((response) =>
        response.writeHead(isWell ? 200 : 500).end(isWell ? '' : 'no room left'),
      ),
    );
    const page = await open('developer', '/p/aurora/webhooks');
    await page.getByRole('heading', { name: 'Nobody is told of anything yet' }).waitFor();
    await page.getByRole('button', { name: 'Add an endpoint' }).first().click();
    const form = page.getByRole('dialog', { name: 'Add an endpoint' });
    await form.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    const shown = page.getByRole('dialog', { name: 'The endpoint’s secret' });
    const secret = (await shown.locator('[data-shown-once]').textContent()) ?? '';
    expect(secret).toMatch(/^whsec_/);
    await shown.getByRole('button', { name: 'I have kept it' }).click();
    await page.getByRole('heading', { name: 'Deliveries', exact: true }).waitFor();
    expect(await page.content()).not.toContain(secret);

    const stop = deliver();
    await publish(3);
    await until('a failure', async () => receiver.received.length > 0);
    // Bell, then attempt: two clicks.
    await page.goto(`${service().url}/p/aurora/webhooks`);
    await page.getByRole('button', { name: '1 endpoint fails' }).click();
    await page.getByRole('menuitem', { name: new RegExp(receiver.url) }).click();
    const drawer = page.getByRole('dialog', { name: 'Delivery' });
    await drawer.getByText('no room left').waitFor();
    await drawer.getByText('Only status 200 means that it arrived.').waitFor();

    // From any screen: Webhooks, Replay, confirm: three clicks, with a test before while it fails.
    await stop(); // a retry would arrive by itself
    await page.goto(`${service().url}/p/aurora/webhooks`);
    await page.getByRole('button', { name: `Replay what ${receiver.url}` }).click();
    const replay = page.getByRole('dialog', { name: 'Send again?' });
    await replay.getByText('3 deliveries will be sent.').waitFor();
    const warning = replay.getByRole('alert').filter({ hasText: 'This endpoint fails now' });
    await warning.getByText('What you send again now is likely to fail too').waitFor();
    await warning.getByRole('button', { name: 'Send a test' }).click();
    await warning.getByText(/It answered 500/).waitFor();
    isWell = true;
    await warning.getByRole('button', { name: 'Send another test' }).click();
    await replay.getByText('This endpoint answers again').waitFor();
    await replay.getByRole('button', { name: 'Send 3 again' }).click();
    deliver();
    await page.getByText('3 deliveries are on the way').first().waitFor();
    const delivered = await until('the replay to arrive', async () => {
      await page.reload();
      return (await page.getByText('4 of 5 arrived, 1 given up').count()) > 0 && receiver.received;
    });
    const last = delivered.at(-1);
    if (last === undefined) throw new Error('nothing was received');
    expect(standardSignatures(last, secret)).toBe(1);
  },
);

test.skipIf(!hasBrowser)('a secret is rotated in steps, and both sign in between', async () => {
  const receiver = closing(await startReceiver());
  const page = await open('owner', '/p/aurora/webhooks', { colorScheme: 'dark' });
  await page.getByRole('button', { name: 'Add an endpoint' }).first().click();
  await page.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const old = (await page.locator('[data-shown-once]').textContent()) ?? '';
  await page.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'New secret' }).click();
  await page.getByRole('button', { name: 'Add a new secret' }).click();
  const next = (await page.locator('[data-shown-once]').textContent()) ?? '';
  await page.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByRole('button', { name: 'Send a test' }).last().click();
  await page.getByText('The test was accepted.').waitFor();
  const [first] = receiver.received;
  if (first === undefined) throw new Error('nothing was received');
  expect([standardSignatures(first, old), standardSignatures(first, next)]).toEqual([1, 1]);
  await page.getByRole('button', { name: 'Remove the old secret' }).click();
  await page.getByText('The new secret is the only one that signs.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText(/It answered 200/).waitFor();
  const last = receiver.received.at(-1);
  if (last === undefined) throw new Error('nothing was received');
  expect([standardSignatures(last, old), standardSignatures(last, next)]).toEqual([0, 1]);
});

test.skipIf(!hasBrowser)('who may not look after webhooks has no such screen, and no bell', async () => {
  const page = await open('finance', '/p/aurora/webhooks');
  await page.getByRole('heading', { name: 'Your role may not see this' }).waitFor();
  expect(await page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: /endpoint/ }).count()).toBe(0);
});
