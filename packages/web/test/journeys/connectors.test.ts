import { createHmac } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';
import { connectingOf } from '../connecting.ts';

const dashboard = useDashboard();
const { open } = dashboard;
const { work } = connectingOf(dashboard);

/** Event of Stripe about a paid Checkout session, as documented. */
const sessionPaid = (order: string, metadata: Record<string, string>) => ({
  id: `evt_${order}`,
  object: 'event',
  created: Math.floor(Date.now() / 1_000),
  livemode: true,
  type: 'checkout.session.completed',
  data: {
    object: {
      id: `cs_${order}`,
      object: 'checkout.session',
      amount_subtotal: 999,
      amount_total: 1_200,
      currency: 'usd',
      metadata,
      mode: 'payment',
      payment_intent: order,
      payment_status: 'paid',
      total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 201 },
    },
  },
});

/** Sends an event to a connector's address, signed as Stripe signs. @returns the status */
async function sendAsStripe(address: string, secret: string, event: unknown): Promise<number> {
  const body = JSON.stringify(event);
  const time = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  const { status } = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': `t=${time},v1=${signature}` },
    body,
  });
  return status;
}

const step = (page: Page, name: string): Locator => page.getByRole('region', { name });

const addressOn = async (page: Page, name: string): Promise<string> => {
  const address = await step(page, name).locator('pre').first().textContent();
  expect(address).toMatch(/\/hooks\/v1\/[A-Za-z0-9]{24}$/);
  return address ?? '';
};

/** Returns the mark of a step that is done. */
const isDone = (page: Page, name: string): Locator =>
  step(page, name).getByRole('img', { name: 'Done', exact: true });

const isPassed = (page: Page, check: string): Promise<void> =>
  page.getByRole('listitem').filter({ hasText: check }).getByRole('img', { name: 'Passed' }).waitFor();

test.skipIf(!hasBrowser)(
  'connects Stripe: a wrong secret is explained, then each check passes as the test event arrives',
  async () => {
    work();
    const page = await open('developer', '/p/aurora/overview');
    await page.getByRole('link', { name: 'Connectors' }).click();
    await page.getByRole('heading', { name: 'No connectors yet' }).waitFor();
    await page.getByRole('button', { name: /^Stripe / }).click();
    const form = page.getByRole('dialog', { name: 'Add connector' });
    const name = form.getByLabel('Name');
    expect(await name.inputValue()).toBe('Stripe');
    await name.fill('');
    await form.getByRole('button', { name: 'Add connector' }).click();
    await form.getByText('Name is required.').waitFor();
    await name.pressSequentially('Web shop');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Add connector' }).click();

    await page.getByRole('heading', { name: 'Web shop' }).waitFor();
    const address = await addressOn(page, 'Add the address in Stripe');
    await page.getByText('charge.dispute.closed').waitFor();
    const secret = step(page, 'Enter the signing secret');
    await secret.getByRole('button', { name: 'Save secret' }).click();
    await secret.getByText('Signing secret is required.').waitFor();
    await secret.getByLabel('Signing secret', { exact: true }).pressSequentially('whsec_of_another_address');
    await secret.getByRole('button', { name: 'Save secret' }).click();
    await page.getByText('The secret is saved. It won’t be shown again.').waitFor();
    expect(await page.content()).not.toContain('whsec_of_another_address');

    // Saving the secret starts the wait.
    await page.getByText('Waiting for an event.').waitFor();
    await page.getByText('Valid signature').waitFor();
    expect(await page.getByText('The signature is valid').count()).toBe(0);
    await page.getByText('The provider can’t reach this address').waitFor();
    const right = 'whsec_0123456789abcdef';
    const paid = sessionPaid('pi_journey_1', { creator_code: 'ALICE', player_id: 'player-7' });
    expect(await sendAsStripe(address, right, paid)).toBe(403);
    await page.getByText('The signature does not match the secret.').waitFor();
    await page.getByText('Expected in the Stripe-Signature header').waitFor();
    await isPassed(page, 'A request arrived');
    // A request came to the address, but the provider can't have sent it.
    expect(await isDone(page, 'Add the address in Stripe').count()).toBe(0);
    const status = page.getByRole('main').locator('dl');
    await status.getByText('Rejecting requests').waitFor();
    await expectAccessible(page);

    await secret.getByLabel('New signing secret').pressSequentially(right);
    await secret.getByRole('button', { name: 'Save secret' }).click();
    await page.getByText('The signature does not match the secret.').waitFor({ state: 'detached' });
    await page.getByLabel('Creator code', { exact: true }).fill('alice');
    await page.getByRole('button', { name: 'Send sample' }).click();
    await page.getByText('Sample passed. Waiting for a real event').waitFor();
    await isPassed(page, 'The sample is signed with the saved secret');
    // The sample was accepted, so the rejection is over, but it says nothing about the orders of the shop.
    await status.getByText('Only samples so far').waitFor();
    expect(await status.getByText('Rejecting requests').count()).toBe(0);
    await status.getByText(/: the signature didn’t match the secret$/).waitFor();
    for (const title of ['Send the creator code with each order', 'Wait for a test event'])
      expect(await isDone(page, title).count(), title).toBe(0);
    await step(page, 'Wait for a test event').getByText('Sample passed', { exact: true }).waitFor();
    await status.getByText('1 recorded (sample)').waitFor();
    await status.getByText('Last real event').waitFor();
    await expectAccessible(page);
    expect(await sendAsStripe(address, right, paid)).toBe(200);
    for (const check of ['arrived', 'signature is valid', 'code was found', 'purchase was recorded'])
      await isPassed(page, check);
    await page.getByText('ALICE, subtotal 9.99 USD').waitFor();
    // The claim names the event that arrived, not the sample before it.
    const works = page.getByRole('status').filter({ hasText: 'The connector works.' });
    await works
      .getByText(/Purchase recorded from checkout.session.completed for order pi_journey_1/)
      .waitFor();
    expect(
      Date.now() - Date.parse((await works.locator('time').getAttribute('datetime')) ?? ''),
    ).toBeLessThan(60_000);
    await isDone(page, 'Wait for a test event').waitFor();
    await isDone(page, 'Send the creator code with each order').waitFor();
    // Now the provider's requests arrive, even at this address.
    await isDone(page, 'Add the address in Stripe').waitFor();
    expect(await page.getByText('The provider can’t reach this address').count()).toBe(0);
    expect(await page.getByText('Sample passed', { exact: true }).count()).toBe(0);
    await status.getByText('2 recorded (1 sample)').waitFor();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'View event' }).click();
    const drawer = page.getByRole('dialog', { name: 'Event' });
    await drawer.getByText('Recorded', { exact: true }).waitFor();
    const former = new URL(page.url());
    await drawer.getByRole('cell', { name: '9.99 USD' }).waitFor();
    await drawer.getByRole('link', { name: 'pi_journey_1' }).click();
    await page.getByRole('dialog', { name: 'Purchase' }).getByText('9.99').first().waitFor();

    // The setup had another name, which saved links still contain.
    former.search = 'tab=set-up';
    await page.goto(former.href);
    await step(page, 'Enter the signing secret').waitFor();
    await page.waitForURL((url) => url.search === '?tab=setup');
    // The steps are still done for a reader who comes back.
    for (const title of [
      'Add the address in Stripe',
      'Enter the signing secret',
      'Send the creator code with each order',
      'Wait for a test event',
    ])
      await isDone(page, title).waitFor();
  },
);

test.skipIf(!hasBrowser)(
  'explains an order without a code, and replays it after the settings changed',
  async () => {
    work();
    const page = await open('developer', '/p/aurora/connectors?do=add');
    const form = page.getByRole('dialog', { name: 'Add connector' });
    await form.getByRole('radio', { name: 'Your own shop' }).check();
    await form.getByLabel('Name').fill('');
    await form.getByLabel('Name').pressSequentially('Own shop');
    await form.getByRole('button', { name: 'Add connector' }).click();
    const address = await addressOn(page, 'Send your shop’s events to this address');
    await page.getByText('Your shop can’t reach this address').waitFor();
    const key = 'a_long_random_text_of_ours';
    await page.getByLabel('Signing secret', { exact: true }).pressSequentially(key);
    await page.getByRole('button', { name: 'Save secret' }).click();
    await page.getByText('Waiting for an event.').waitFor();
    const body = JSON.stringify({
      ...{ id: 'evt-1', type: 'order.paid', time: new Date().toISOString() },
      order: { id: 'order-1', voucher: 'ALICE', subtotal: 500, total: 600, currency: 'USD' },
    });
    const signature = createHmac('sha256', key).update(body).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-signature': signature };
    expect((await fetch(address, { method: 'POST', headers, body })).status).toBe(200);
    await page
      .getByText(
        'The order has no creator code, and none was sent in advance. Check the field that the settings name.',
      )
      .waitFor();

    await page.getByRole('tab', { name: 'Events' }).click();
    await page.getByLabel('Status').selectOption('Done');
    await page.getByText('No matching events.').waitFor();
    await page.getByLabel('Status').selectOption('Ignored');
    await page.getByRole('button', { name: 'Open order.paid order-1' }).click();
    const drawer = page.getByRole('dialog', { name: 'Event' });
    await drawer.getByText('No code', { exact: true }).waitFor();
    await drawer.getByText('"voucher": "ALICE"').waitFor();
    expect(await drawer.textContent()).not.toContain(signature);
    await expectAccessible(page);

    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Edit settings' }).click();
    const settings = page.getByRole('dialog', { name: 'Edit settings' });
    await settings.getByLabel('Creator code').pressSequentially('/order/voucher');
    await settings.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Own shop changed: Creator code').waitFor();
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.getByRole('button', { name: 'Open order.paid order-1' }).click();
    await drawer.getByRole('button', { name: 'Replay' }).click();
    await drawer.getByText('Recorded', { exact: true }).waitFor();
    await drawer.getByRole('link', { name: 'order-1' }).waitFor();
    await drawer.getByRole('button', { name: 'Replay' }).waitFor({ state: 'detached' });
  },
);
