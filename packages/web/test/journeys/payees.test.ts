import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';
import { payingOf } from '../paying.ts';

/** Same timeout as the browser's actions. */
const soon = { timeout: 10_000 };
const dashboard = useDashboard();
const { open } = dashboard;
const { makeGroup, earn } = payingOf(dashboard);

test.skipIf(!hasBrowser)(
  'enters a payout method by one person, approves it by another, and downloads the PayPal file',
  async () => {
    await makeGroup('payees', 'holdDays: 0,');
    const settings = await open('owner', '/p/aurora/settings');
    const payments = settings.getByRole('region', { name: 'Payments' });
    const retype = async (label: string, text: string): Promise<void> => {
      const field = payments.getByLabel(label);
      await field.click();
      await field.press('ControlOrMeta+a');
      await field.pressSequentially(text);
    };
    await retype('Waiting period for new methods (days)', '0');
    await retype('IBAN of the paying account', 'DE89 3704 0044 0532 0130 00');
    await payments.getByRole('button', { name: 'Save' }).click();
    await payments.getByText('Name on the paying account is required.').waitFor();
    await retype('Name on the paying account', 'Aurora GmbH');
    await payments.getByRole('button', { name: 'Save' }).click();
    await settings.getByText('Payment settings saved').waitFor();
    const needs = settings.getByRole('region', { name: 'Payout requirements' });
    await needs.getByRole('switch', { name: 'Require a usable payout method' }).press('Space');
    await needs.getByRole('button', { name: 'Save' }).click();
    await settings.getByText('Payout requirements saved').waitFor();
    await needs.getByRole('switch', { name: 'Require a usable payout method' }).press('Space');
    await needs.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => needs.getByRole('button', { name: 'Save' }).isDisabled(), soon).toBe(true);
    const page = await open('finance', '/p/aurora/creators?group=payees&open=acc_payees_A');
    const methods = page.getByRole('region', { name: 'Payout methods' });
    const dialog = page.getByRole('dialog', { name: 'Add a payout method for Creator A' });
    await methods.getByRole('button', { name: 'Add payout method…' }).click();
    await dialog.getByRole('button', { name: 'Add method' }).click();
    await dialog.getByText('Email address is required.').waitFor();
    await dialog.getByLabel('Account holder’s legal name').fill('Maria Muster');
    await dialog.getByLabel('Account holder’s country').fill('de');
    await dialog.getByLabel('Email address').fill('maria@example.com');
    await dialog.getByRole('button', { name: 'Add method' }).click();
    await methods.getByText('PayPal · m…@example.com').waitFor();
    await methods.getByText('another person must approve it').waitFor();
    expect(await methods.getByRole('button', { name: 'Approve…' }).count()).toBe(0);

    const owner = await open('owner', '/p/aurora/overview');
    await owner.getByRole('link', { name: '1 payout method needs approval by a second person' }).click();
    await owner.getByRole('button', { name: 'Approve…' }).click();
    await owner.getByRole('dialog').getByRole('button', { name: 'Approve method' }).click();
    await owner.getByText('No methods to approve').waitFor();

    await earn('payees', 'A', 12_345);
    await earn('payees', 'B', 500);
    await owner.goto(new URL('/p/aurora/payouts?group=payees', owner.url()).href);
    await owner.getByRole('button', { name: /^Create( \d+)? payouts?$/ }).click();
    await owner
      .getByRole('dialog')
      .getByRole('button', { name: /^Create( \d+)? payouts?$/ })
      .click();
    const files = owner.getByRole('region', { name: 'Payment files' });
    await files.getByText('1 payment isn’t in a payment file (5.00 USD)').waitFor();
    expect(
      await owner.getByRole('button', { name: 'Mark as paid' }).getAttribute('data-variant'),
      'before a download',
    ).toBe('default');
    const download = owner.waitForEvent('download');
    await files.getByRole('button', { name: /^Download payout-\d+-paypal\.csv/ }).click();
    const saved = await text(await (await download).createReadStream());
    expect(saved).toMatch(/^maria@example\.com,123\.45,USD,\d{4}-0000\d,Payout \d{4},PAYPAL\r\n$/);
    await expect.poll(() => files.textContent(), soon).toMatch(/SHA-256 [0-9a-f]{64}/);
    const menu = owner.getByRole('button', { name: 'Download payment file' });
    const pay = owner.getByRole('button', { name: 'Mark as paid' });
    await expect.poll(() => pay.getAttribute('data-variant'), soon).toBe('filled');
    expect(await menu.getAttribute('data-variant'), 'after a download').toBe('default');
    await menu.click();
    await owner.getByText('Wise, by email: no creators').waitFor();
    const again = owner.waitForEvent('download');
    await owner.getByRole('menuitem', { name: 'PayPal 1 payment, 123.45 USD' }).click();
    expect(await text(await (await again).createReadStream())).toBe(saved);
    const withAccounts = owner.waitForEvent('download');
    await files.getByRole('button', { name: 'CSV with accounts' }).click();
    expect(await text(await (await withAccounts).createReadStream())).toContain('maria@example.com');

    const confirmation = owner.getByRole('dialog');
    const rowOf = (creator: string) => lines.getByRole('row').filter({ hasText: creator });
    const lines = owner.getByRole('table', { name: 'Payments in this payout' });
    const opensList = async (): Promise<void> => {
      await confirmation.getByText('1 of these 2 payments isn’t in a payment file: Creator B.').waitFor();
      await confirmation.getByText('Mark it as paid only if you paid it another way.').waitFor();
      await confirmation.getByRole('columnheader', { name: 'Not in a file' }).waitFor();
      await confirmation.getByRole('cell', { name: '5.00', exact: true }).waitFor();
      await expectAccessible(owner);
      await confirmation.getByRole('link', { name: 'Show them' }).click();
      await confirmation.waitFor({ state: 'detached' });
      await expect.poll(() => lines.locator('tbody tr').count(), soon).toBe(1);
      expect(await lines.locator('tbody').textContent()).toContain('Creator B');
    };
    await rowOf('Creator A').getByRole('cell', { name: 'PayPal', exact: true }).waitFor();
    await rowOf('Creator B').getByRole('cell', { name: 'Not in a file', exact: true }).waitFor();
    await pay.click();
    await opensList();
    await owner.goto(new URL('/p/aurora/payouts/made?group=payees', owner.url()).href);
    await owner.getByRole('checkbox', { name: 'Select all rows on this page' }).check();
    await owner.getByRole('button', { name: 'Download payment files' }).click();
    await owner.getByText('1 payment isn’t in a payment file.').waitFor();
    await expectAccessible(owner, 'the files of selected payouts');
    const selected = owner.waitForEvent('download');
    await owner.getByRole('menuitem', { name: /^Payout \d+: PayPal 1 payment, 123\.45 USD/ }).click();
    expect(await text(await (await selected).createReadStream())).toBe(saved);
    await owner.keyboard.press('Escape');
    await owner.getByRole('button', { name: 'Mark as paid' }).click();
    await opensList();
    await lines.getByRole('checkbox', { name: /^Select Creator B/ }).check();
    await owner.getByRole('button', { name: 'Set result' }).click();
    await confirmation.getByLabel('Result').selectOption('Failed');
    await confirmation.getByRole('textbox', { name: /^Type/ }).fill('5.00');
    await confirmation.getByRole('button', { name: 'Set result' }).click();
    await confirmation.waitFor({ state: 'detached' });
    await pay.click();
    await confirmation.getByText('Confirm only after your bank').waitFor();
    await expect.poll(() => confirmation.getByText('payment file').count(), soon).toBe(0);
  },
);
