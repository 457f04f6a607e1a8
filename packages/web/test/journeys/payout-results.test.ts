import { expect, test } from 'vitest';
import { hasBrowser, useDashboard } from '../browser.ts';
import { payingOf } from '../paying.ts';

/** Same timeout as the browser's actions. */
const soon = { timeout: 10_000 };
const dashboard = useDashboard();
const { open } = dashboard;
const { makeGroup, earn } = payingOf(dashboard);

test.skipIf(!hasBrowser)(
  'sets the results of a payout from a file, and pays money that came back again',
  async () => {
    await makeGroup('results', 'holdDays: 0,');
    await earn('results', 'A', 90_000);
    await earn('results', 'B', 4_520);
    const page = await open('finance', '/p/aurora/payouts?group=results');
    const dialog = page.getByRole('dialog');
    const create = async () => {
      await page.getByRole('button', { name: /^Create( \d+)? payouts?$/ }).click();
      await dialog.getByRole('button', { name: /^Create( \d+)? payouts?$/ }).click();
      await page.getByText('To be paid').waitFor();
    };
    await create();
    const items = page.getByRole('table', { name: 'Payments in this payout' });
    const [a = '', b = ''] = (await items.textContent())?.match(/\d{4}-0000\d/g) ?? [];

    // Three of the four lines are wrong: a typing error, an unknown reference and an unknown status.
    await page.getByRole('button', { name: 'Import results' }).click();
    await dialog
      .getByLabel('Table')
      .fill(
        `reference,status,note\n${b},Failed,No such account\n${b.slice(0, -1)}9,Paid,\n9999-00001,Paid,\n${a},Payed,`,
      );
    await dialog.getByRole('button', { name: 'Check' }).click();
    await dialog.getByText('1 to set, 0 unchanged, 3 rejected').waitFor();
    const apply = dialog.getByRole('button', { name: 'Set 1 result' });
    expect(await apply.isDisabled()).toBe(true);
    await dialog.getByLabel('Type 45.20 to confirm').fill('45.20');
    await apply.click();
    await items.getByText('No such account').waitFor();
    await page.getByRole('button', { name: 'Mark as paid' }).click();
    await dialog.getByLabel('Type 945.20 to confirm').fill('945.20');
    await dialog.getByRole('button', { name: 'Mark as paid' }).click();
    const totals = page.getByRole('region', { name: 'Totals by result' });
    await expect
      .poll(() => totals.textContent(), soon)
      .toMatch(/Paid.*1 payment.*900\.00.*Failed.*1 payment.*45\.20/);
    await page.getByLabel('Result', { exact: true }).selectOption('Failed');
    await expect.poll(() => items.getByRole('row').count(), soon).toBe(2);
    await page.getByLabel('Result', { exact: true }).selectOption('');

    // Later, the other payment comes back.
    await items.getByRole('checkbox', { name: `Select Creator A, ${a}` }).check();
    await page.getByRole('button', { name: 'Set result' }).click();
    await dialog.getByLabel('Note').fill('Account closed');
    await dialog.getByLabel('Type 900.00 to confirm').fill('900');
    await dialog.getByRole('button', { name: 'Set result' }).click();
    await items.getByText('Account closed').waitFor();
    await page.getByRole('link', { name: 'All payouts' }).click();
    await page.getByRole('link', { name: 'Due now' }).click();
    await create();
    await expect.poll(() => items.textContent(), soon).toMatch(/900\.00.*45\.20/);
  },
);
