import { expect, test } from 'vitest';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';
import { connectingOf, ownOrder } from '../connecting.ts';

const dashboard = useDashboard();
const { open, service } = dashboard;
const { add, read, send, work, wakeCodes } = connectingOf(dashboard);

test.skipIf(!hasBrowser)('a paused connector stores events, and records them when it resumes', async () => {
  work();
  const shop = await add('generic', 'Pausing');
  const page = await open('developer', `${shop.path}?tab=events`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Pause…' }).click();
  const question = page.getByRole('dialog', { name: 'Pause Pausing?' });
  await question.getByText('Events are still accepted and stored').waitFor();
  await question.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Pausing paused').waitFor();
  await page.getByRole('definition').getByText('Paused', { exact: true }).waitFor();
  expect((await read(shop)).pausedAt).not.toBeNull();
  expect(await send(shop, ownOrder('paused-1'))).toBe(200);
  await page.reload();
  const row = page.getByRole('row').filter({ hasText: 'paused-1' });
  await row.getByText('Queued').waitFor();
  await page.waitForTimeout(500);

  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Resume…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
  await page.getByText('Pausing resumed').waitFor();
  expect((await read(shop)).pausedAt).toBeNull();
  await expect
    .poll(async () => {
      await page.reload();
      await row.waitFor();
      return row.textContent();
    })
    .toContain('Recorded');
});

test.skipIf(!hasBrowser)('a removed connector leaves the list, and its address answers 404', async () => {
  const shop = await add('generic', 'Going away');
  const page = await open('developer', shop.path);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Remove…' }).click();
  const question = page.getByRole('dialog', { name: 'Remove Going away?' });
  await question.getByText('Its address stops working').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'detached' });
  expect((await read(shop)).name).toBe('Going away');
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Remove…' }).click();
  await question.getByRole('button', { name: 'Remove connector' }).click();
  await page.getByText('Connector Going away removed').waitFor();
  await page.getByRole('heading', { name: 'Connectors', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Going away' }).waitFor({ state: 'detached' });
  const { status } = await fetch(`${service().url}/hooks/v1/${shop.connectorId}`, {
    method: 'POST',
    body: '{}',
  });
  expect(status).toBe(404);
});

test.skipIf(!hasBrowser)('a sample with a code that was typed passes every check', async () => {
  const shop = await add('stripe', 'Sampling');
  const page = await open('developer', shop.path);
  const code = page.getByLabel('Creator code', { exact: true });
  await expect.poll(() => code.inputValue()).not.toBe(''); // a usable code is suggested
  await code.fill('');
  await page.getByRole('button', { name: 'Send sample' }).click();
  await page.getByText('Creator code is required.').waitFor();
  await code.pressSequentially('nobody');
  await page.getByRole('button', { name: 'Send sample' }).click();
  await page.getByText('The code nobody is not an approved code of the creator group.').waitFor();
  await code.fill('');
  await code.pressSequentially('alice');
  await page.getByRole('button', { name: 'Send sample' }).click();
  await page.getByText('Sample passed. Waiting for a real event').waitFor();
  await page.getByText('ALICE, subtotal 9.99 USD, as a test. Order total: 12.00 USD').waitFor();
});

test.skipIf(!hasBrowser)('all failed events are read again with the new settings', async () => {
  work();
  const shop = await add('generic', 'Failing');
  for (const order of ['failed-1', 'failed-2', 'failed-3'])
    expect(await send(shop, ownOrder(order, { currency: undefined, money: 'USD' }))).toBe(200);
  const page = await open('developer', `${shop.path}?tab=settings`);
  await page.getByText('3 events failed.').waitFor();
  await page.getByRole('button', { name: 'Edit settings' }).click();
  const form = page.getByRole('dialog', { name: 'Edit settings' });
  await form.getByLabel('Currency', { exact: true }).pressSequentially('/order/money');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Failing changed: Currency').waitFor();
  await page.getByRole('tab', { name: 'Events' }).click();
  const rows = page.getByRole('table', { name: 'Events' }).getByRole('row');
  await rows.filter({ hasText: 'Unreadable' }).nth(2).waitFor();
  await page.getByRole('button', { name: 'Replay all failed' }).click();
  await page.getByText('Replaying 3 failed events').waitFor();
  await page.getByRole('button', { name: 'Replay all failed' }).waitFor({ state: 'detached' });
  await expect
    .poll(async () => {
      await page.reload();
      await rows.nth(1).waitFor();
      return rows.filter({ hasText: 'Recorded' }).filter({ hasText: '6.00 USD' }).count();
    })
    .toBe(3);
});

test.skipIf(!hasBrowser)(
  'orders with unknown codes are offered by code, and recorded once the code is approved',
  async () => {
    work();
    const shop = await add('generic', 'Waiting for codes');
    for (const [order, creatorCode] of [
      ['late-1', 'LUNA'],
      ['late-2', 'luna'],
      ['late-3', 'SOL'],
    ])
      expect(await send(shop, ownOrder(`${order}`, { creatorCode }))).toBe(200);
    const page = await open('developer', `${shop.path}?tab=events`);
    const notice = page.getByRole('group', { name: 'Orders with codes that aren’t approved' });
    await notice.getByRole('listitem').filter({ hasText: 'luna: 2 orders.' }).waitFor();
    await notice.getByRole('listitem').filter({ hasText: 'sol: 1 order.' }).waitFor();
    await expectAccessible(page);
    await notice.getByRole('button', { name: 'View orders' }).click();
    const rows = page.getByRole('table', { name: 'Events' }).getByRole('row');
    await expect.poll(() => rows.filter({ hasText: 'Unknown code' }).count()).toBe(3);

    await service().provision(
      '{ publisher: { id: aurora }, groups: [ { id: main, members: [ { id: acc_luna, name: Luna, codes: [ { code: LUNA } ] } ] } ] }',
    );
    await page.reload();
    await notice.getByText('approved. 2 orders are being recorded').waitFor();
    expect(await wakeCodes()).toBe(2);
    await expect
      .poll(async () => {
        await page.reload();
        await notice.getByText('sol').waitFor();
        return notice.getByText('luna').count();
      })
      .toBe(0);
    await page.goto(`${service().url}${shop.path}?tab=events&status=Done`);
    await page.getByRole('button', { name: 'Open order.paid late-1' }).click();
    await page.getByRole('dialog', { name: 'Event' }).getByRole('cell', { name: '5.00 USD' }).waitFor();
  },
);
