import { afterAll, expect, test } from 'vitest';
import { unsubscribeToken } from '../../../server/src/notifications/choices/unsubscribe-links.ts';
import { serviceSecret } from '../../../server/src/platform/secrets/service-secret.ts';
import { answer, startReceiver } from '../../../server/test/receiver.ts';
import { testSealer } from '../../../server/test/sealer.ts';
import { signIn } from '../../../server/test/staff.ts';
import { hasBrowser, useDashboard } from '../browser.ts';

const chat = await startReceiver(answer(200, {}, 'ok'));
afterAll(() => chat.close());

const { open, openAs, service } = useDashboard({
  environment: { CHANNEL_HOSTS: `127.0.0.1:${chat.port}`, WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true' },
});

test.skipIf(!hasBrowser)(
  'a person chooses digests in their own time zone, and a stale tab asks',
  async () => {
    const finance = await signIn(service(), 'finance');
    const page = await openAs(finance, '/p/aurora/overview', { timezoneId: 'America/New_York' });
    await page.getByRole('button', { name: /^You:/ }).click();
    await page.getByRole('menuitem', { name: 'Notifications' }).click();
    await page.getByText('This service doesn’t send email yet').waitFor();
    expect(await page.getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe('America/New York');
    // The role determines which subjects can be chosen.
    expect(await page.getByRole('radiogroup').count()).toBe(4);
    expect(await page.getByRole('switch').count()).toBe(2);
    await page
      .getByRole('radiogroup', { name: 'Digest of Purchases and shares' })
      .getByText('Weekly')
      .click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Next weekly digest:').waitFor();
    const saved = (await finance.ask('GET', '/notifications')).body;
    expect(saved).toMatchObject({
      timeZone: 'America/New_York',
      hour: 8,
      weekly: ['money'],
      isDefault: false,
    });

    const { version, timeZone, daily, immediate } = saved;
    const elsewhere = { version, timeZone, hour: 17, daily, weekly: [], immediate };
    expect(await finance.ask('PUT', '/notifications', elsewhere)).toMatchObject({ status: 200 });
    await page.getByRole('switch', { name: 'Ledger discrepancy' }).press('Space');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Someone else changed this first').waitFor();
    await page.getByRole('row', { name: /Hour.*17:00.*08:00/ }).waitFor();
  },
);

test.skipIf(!hasBrowser)(
  'an owner adds a channel, tests it and turns it off; others don’t see channels',
  async () => {
    const page = await open('owner', '/p/aurora/settings');
    const channels = page.getByRole('region', { name: 'Channels' });
    await channels.getByRole('button', { name: 'Add channel' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add channel' });
    await dialog.getByLabel('Name').fill('ops');
    await dialog.getByLabel('Incoming webhook URL').fill('https://evil.example/services/T/B/x');
    await dialog.getByRole('button', { name: 'Add channel' }).click();
    await dialog.getByText(/must be on hooks\.slack\.com/).waitFor();
    await dialog
      .getByLabel('Incoming webhook URL')
      .fill(`http://127.0.0.1:${chat.port}/services/T/B/mysecret`);
    await dialog.getByRole('button', { name: 'Add channel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await channels.getByText(`127.0.0.1:${chat.port}/…cret`).waitFor();
    expect(await page.content()).not.toContain('mysecret');
    await channels.getByRole('button', { name: 'Send test to ops' }).click();
    const test = page.getByRole('dialog', { name: 'Test message' });
    await test.getByText('Delivered').waitFor();
    await test.getByText('ok', { exact: true }).waitFor();
    expect(chat.received.at(-1)?.json.text).toBe('Aurora Games: test message');
    await test.getByRole('button', { name: 'Close' }).last().click();
    await channels.getByRole('button', { name: 'Actions for ops' }).click();
    await page.getByRole('menuitem', { name: 'Turn off' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    await channels.getByText('Off', { exact: true }).waitFor();

    const other = await open('manager', '/p/aurora/settings');
    await other.getByRole('region', { name: 'This installation' }).waitFor();
    expect(await other.getByRole('region', { name: 'Channels' }).count()).toBe(0);
  },
);

test.skipIf(!hasBrowser)('a link in an email turns its kind off without a sign-in', async () => {
  const viewer = await signIn(service(), 'viewer');
  const choice = { timeZone: 'UTC', hour: 8, daily: [], weekly: ['money'], immediate: [] };
  const { version } = (await viewer.ask('GET', '/notifications')).body;
  await viewer.ask('PUT', '/notifications', { version, ...choice });
  const secret = await serviceSecret(service().testDatabase.database.db, 'notification links', testSealer);
  const link = { publisherId: 'aurora', userId: viewer.userId, kind: 'weekly' } as const;
  const page = await open(null, `/unsubscribe#${unsubscribeToken(secret, link)}`);
  await page.getByText('Turn off weekly digests about Aurora Games?').waitFor();
  expect((await viewer.ask('GET', '/notifications')).body.weekly).toEqual(['money']);
  await page.getByRole('button', { name: 'Turn off weekly digests' }).click();
  await page.getByText('You no longer get these emails about Aurora Games.').waitFor();
  expect((await viewer.ask('GET', '/notifications')).body.weekly).toEqual([]);
});
