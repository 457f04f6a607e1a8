import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';
import { payingOf } from '../paying.ts';

const dashboard = useDashboard();
const { open } = dashboard;
const { makeGroup, earn } = payingOf(dashboard);

test.skipIf(!hasBrowser)(
  'two people decide about a payout method at once, and the bank file names the day that finance chose',
  async () => {
    await makeGroup('bank', 'holdDays: 0,');
    const settings = await open('owner', '/p/aurora/settings');
    const payments = settings.getByRole('region', { name: 'Payments' });
    await payments.getByLabel('Waiting period for new methods (days)').fill('0');
    await payments.getByLabel('Name on the paying account').fill('Aurora GmbH');
    await payments.getByLabel('IBAN of the paying account').fill('DE89 3704 0044 0532 0130 00');
    const stale = await open('finance', '/p/aurora/settings');
    const stalePayments = stale.getByRole('region', { name: 'Payments' });
    await stalePayments.getByLabel('Waiting period for new methods (days)').fill('3');
    await payments.getByRole('button', { name: 'Save' }).click();
    await settings.getByText('Payment settings saved').waitFor();
    await stalePayments.getByRole('button', { name: 'Save' }).click();
    await stalePayments.getByRole('button', { name: 'Use saved values' }).click();
    await expect
      .poll(() => stalePayments.getByLabel('Waiting period for new methods (days)').inputValue())
      .toBe('0');

    const page = await open('finance', '/p/aurora/creators?group=bank&open=acc_bank_A');
    const methods = page.getByRole('region', { name: 'Payout methods' });
    const enter = async (iban: string): Promise<void> => {
      await methods.getByRole('button', { name: 'Add payout method…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add a payout method for Creator A' });
      await dialog.getByLabel('Method').selectOption('sepa');
      await dialog.getByLabel('Account holder’s legal name').fill('Maria Muster');
      await dialog.getByLabel('Account holder’s country').fill('FR');
      await dialog.getByLabel('IBAN').fill(iban);
      await dialog.getByRole('button', { name: 'Add method' }).click();
    };
    await enter('FR14 2004 1010 0505 0001 3M02 606');
    await methods.getByText('Bank account (SEPA) · FR… 2606').waitFor();
    await expectAccessible(page, 'a method that waits for a second person');

    const owner = await open('owner', '/p/aurora/payouts/payees');
    await owner.getByRole('button', { name: 'Approve…' }).click();
    const approval = owner.getByRole('dialog', { name: 'Approve Creator A’s payout method?' });
    await approval.waitFor();
    await methods.getByRole('button', { name: 'Remove…' }).click();
    const ending = page.getByRole('dialog', { name: 'Remove this payout method?' });
    await ending.getByLabel('Reason').fill('wrong account');
    await ending.getByRole('button', { name: 'Remove method' }).click();
    await methods.getByText('No longer used', { exact: true }).waitFor();
    await approval.getByRole('button', { name: 'Approve method' }).click();
    await approval.getByText('The payout method is no longer in use. Enter it again.').waitFor();
    await approval.getByRole('button', { name: 'Cancel' }).click();
    await owner.getByText('No methods to approve').waitFor();

    await enter('FR14 2004 1010 0505 0001 3M02 606');
    await methods.getByText('another person must approve it').waitFor();
    await owner.reload();
    await owner.getByRole('button', { name: 'Approve…' }).click();
    await approval.getByRole('button', { name: 'Approve method' }).click();
    await owner.getByText('No methods to approve').waitFor();

    await earn('bank', 'A', 4_520, { currency: 'EUR' });
    await owner.goto(new URL('/p/aurora/payouts?group=bank&currency=EUR', owner.url()).href);
    await owner.getByRole('button', { name: /^Create( \d+)? payouts?$/ }).click();
    await owner
      .getByRole('dialog')
      .getByRole('button', { name: /^Create( \d+)? payouts?$/ })
      .click();
    const files = owner.getByRole('region', { name: 'Payment files' });
    const day = files.getByLabel('Bank payment date');
    await day.fill('31.02.2099');
    const button = files.getByRole('button', { name: /^Download payout-\d+-sepa\.xml/ });
    await expect.poll(() => button.isDisabled()).toBe(true);
    await day.fill('2099-12-15');
    await expectAccessible(owner, 'payment files with a chosen day');
    const download = owner.waitForEvent('download');
    await button.click();
    const saved = await text(await (await download).createReadStream());
    expect(saved).toContain('<ReqdExctnDt><Dt>2099-12-15</Dt></ReqdExctnDt>');
    expect(saved).toContain('<IBAN>FR1420041010050500013M02606</IBAN>');
    expect(saved).toContain('<InstdAmt Ccy="EUR">45.20</InstdAmt>');
  },
);
