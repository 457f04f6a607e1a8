import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';
import { connectingOf, ownOrder } from '../connecting.ts';

const dashboard = useDashboard();
const { open } = dashboard;
const { add, read, send, work } = connectingOf(dashboard);

const form = (page: Page): Locator => page.getByRole('dialog', { name: 'Edit settings' });

async function openForm(path: string): Promise<Page> {
  const page = await open('developer', `${path}?tab=settings`);
  await page.getByRole('button', { name: 'Edit settings' }).click();
  await form(page).waitFor();
  return page;
}

const textbox = (page: Page, name: string): Locator => form(page).getByRole('textbox', { name, exact: true });

/** Replaces a field's text by typing it key by key. */
async function type(page: Page, label: string, text: string): Promise<void> {
  const field = textbox(page, label);
  await field.press('ControlOrMeta+a');
  await field.press('Delete');
  await field.pressSequentially(text);
}

const save = (page: Page): Promise<void> => form(page).getByRole('button', { name: 'Save' }).click();
const closed = (page: Page): Promise<void> => form(page).waitFor({ state: 'detached' });

/** Presses Save, and expects a message, the focus on the field, and its unchanged text. */
async function expectRejected(page: Page, label: string, typed: string, message: string): Promise<void> {
  await type(page, label, typed);
  await save(page);
  const field = textbox(page, label);
  await form(page).getByText(message, { exact: true }).waitFor();
  await field.and(page.locator(':focus')).waitFor();
  expect([await field.inputValue(), await field.getAttribute('aria-invalid')]).toEqual([typed, 'true']);
}

describe.skipIf(!hasBrowser)('the settings of a connector', () => {
  test('are saved as typed, named in a message, and restored by Undo', async () => {
    const tebex = await add('tebex', 'Tebex');
    const before = await read(tebex);
    const page = await openForm(tebex.path);
    expect(await form(page).getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    const range = 'Enter a number from 0 to 120';
    const whole = 'Enter a whole number, such as 30';
    for (const [typed, message] of [
      ['12.5', whole],
      ['12,5', whole],
      ['1,000', range],
      ['-1', range],
      ['121', range],
      ['a year', whole],
      ['', 'Renewal period is required.'],
    ] as const)
      await expectRejected(page, 'Renewal period in months', typed, message);
    await type(page, 'Renewal period in months', '12');
    await expectRejected(page, 'Name', ' ', 'Name is required.');
    await expectAccessible(page);
    expect(await read(tebex)).toEqual(before);

    await type(page, 'Name', 'Store of the game');
    await type(page, 'Creator code field', 'supported');
    await form(page).getByLabel('Fall back to the player’s code').press('Space');
    await save(page);
    await closed(page);
    await page.getByText('4 settings of Store of the game changed').waitFor();
    expect(await read(tebex)).toMatchObject({
      name: 'Store of the game',
      groupId: null,
      settings: { codeField: 'supported', usesPlayerCode: true, renewalMonths: 12 },
    });
    await page.getByRole('heading', { name: 'Store of the game' }).waitFor();
    await page.getByRole('definition').filter({ hasText: 'supported' }).waitFor();

    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone').waitFor();
    expect(await read(tebex)).toEqual(before);
  });

  test('include the creator group, and keep what the form doesn’t show', async () => {
    const stripe = await add('stripe', 'Stripe of MOBA', { renewalMonths: 3, transactionField: 'number' });
    const page = await openForm(stripe.path);
    expect(await form(page).getByLabel('Renewal period in months').count()).toBe(0);
    await form(page).getByLabel('Creator group').selectOption('moba');
    await form(page).getByLabel('What counts as a purchase').selectOption('payment_intent');
    await type(page, 'Transaction ID field', '');
    await save(page);
    await page
      .getByText('Stripe of MOBA changed: Creator group, Transaction ID field, and What counts as a purchase')
      .waitFor();
    expect(await read(stripe)).toMatchObject({
      groupId: 'moba',
      settings: { renewalMonths: 3, stripeSales: 'payment_intent' },
    });
    expect((await read(stripe)).settings).not.toHaveProperty('transactionField');
  });

  test('a name that is taken is explained, and the input stays', async () => {
    await add('paddle', 'Taken');
    const page = await openForm((await add('paddle', 'Free')).path);
    await type(page, 'Name', 'Taken');
    await save(page);
    await form(page).getByText('A connector named Taken already exists. Choose another name.').waitFor();
    expect(await textbox(page, 'Name').inputValue()).toBe('Taken');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await closed(page);
  });
});

describe.skipIf(!hasBrowser)('the format of one’s own shop', () => {
  test('rejects what can’t be a pointer, a header or a signed text, and says what to enter', async () => {
    const own = await add('generic', 'Wrong format');
    const page = await openForm(own.path);
    const pointer = 'Start with a slash, and separate names with slashes, as in /order/id.';
    const header = 'Enter only the header’s name, without spaces or a colon, as in X-Signature.';
    const signed = 'Use {body} exactly once, and {t} for the timestamp, as in {t}.{body}.';
    for (const [label, typed, message] of [
      ['Creator code', 'order.code', pointer],
      ['Creator code', '$.order.code', pointer],
      ['Creator code', '/order//code', pointer],
      ['Creator code', '/order/', pointer],
      ['Header', 'X-Shop-Signature:', header],
      ['Header', 'X Shop', header],
      ['Signed text', '{time}.{body}', signed],
      ['Signed text', '{t}', signed],
      ['Signed text', '{body},{body}', signed],
    ] as const) {
      await expectRejected(page, label, typed, message);
      await type(page, label, '');
    }
    expect((await read(own)).settings).toEqual({});
  });

  test('starts with a preset, whose fields are overridden, and then reads the shop’s events', async () => {
    work();
    const own = await add('generic', 'Our web shop');
    const page = await openForm(own.path);
    const code = textbox(page, 'Creator code');
    expect(await code.getAttribute('placeholder')).toBe('/order/creatorCode');
    await form(page).getByLabel('Preset').selectOption('stash');
    expect(await code.getAttribute('placeholder')).toBe('/purchase/metadata/creator_code');
    await form(page).getByLabel('Preset').selectOption('Your own shop');
    await type(page, 'Header', 'X-Shop-Signature');
    await form(page).getByLabel('Encoding').selectOption('base64');
    await type(page, 'Signed text', '{t}.{body}');
    await type(page, 'Timestamp header', 'X-Shop-Time');
    await form(page).getByLabel('Unit of amounts').selectOption('major');
    await type(page, 'Creator code', '/order/voucher');
    await type(page, 'Event type of a paid order', 'sale,paid 2.0');
    await expectAccessible(page);
    await save(page);
    await closed(page);
    expect((await read(own)).settings).toEqual({
      generic: {
        header: 'X-Shop-Signature',
        encoding: 'base64',
        signed: '{t}.{body}',
        timeHeader: 'X-Shop-Time',
        units: 'major',
        code: '/order/voucher',
        sale: 'sale,paid 2.0',
      },
    });
    const order = ownOrder('shop-1', { voucher: 'ALICE', subtotal: '9.99', total: '12.00' });
    expect(await send(own, { ...order, type: 'sale,paid 2.0' })).toBe(200);
    expect(await send(own, { ...order, id: 'other', type: 'sale.shipped' })).toBe(200);
    await page.getByRole('tab', { name: 'Events' }).click();
    const rows = page.getByRole('table', { name: 'Events' }).getByRole('row');
    await rows.filter({ hasText: 'Recorded' }).getByText('12.00 USD').waitFor();
    // Nothing was read from the other event.
    await rows.filter({ hasText: 'Not needed' }).getByRole('cell', { name: '–' }).waitFor();
    await page.getByRole('button', { name: 'Open sale,paid 2.0 shop-1' }).click();
    await page.getByRole('dialog', { name: 'Event' }).getByRole('cell', { name: '9.99 USD' }).waitFor();
  });
});
