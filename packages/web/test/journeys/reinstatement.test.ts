import { expect, test } from 'vitest';
import { asRole } from '../../../server/test/admin.ts';
import { purchase } from '../../../server/test/fixtures.ts';
import { settleAll } from '../../../server/test/money.ts';
import { payElsewhere } from '../../../server/test/row-money.ts';
import { hasBrowser, useDashboard } from '../browser.ts';

const { open, service, keys } = useDashboard();
const db = () => service().testDatabase.database.db;
const settle = () => settleAll(db());
const record = (sent: unknown) =>
  service().call('POST', '/v1/attributions/transactions', { key: keys().backend, json: sent });

test.skipIf(!hasBrowser)(
  'claws back a part, typed key by key with a comma, and support reinstates it with a reason',
  async () => {
    await record(
      purchase({ transactionId: 'partly', code: 'BOB', subtotal: 10_000, memberSharePercent: 50 }),
    );
    await settle();
    const finance = await asRole(service(), 'finance');
    const { rows } = (await finance('GET', '/transactions/partly')).body;
    await payElsewhere(db(), rows[0].row.attributionId);
    const page = await open('finance', '/p/aurora/transactions?open=partly');
    const drawer = page.getByRole('dialog', { name: 'Purchase' });
    await drawer.getByRole('button', { name: 'Claw back…' }).waitFor();
    expect(await drawer.getByRole('button', { name: 'Reverse…' }).count(), 'all of it is paid').toBe(0);
    await drawer.getByRole('button', { name: 'Claw back…' }).click();
    const clawing = page.getByRole('dialog', { name: 'Claw back partly?' });
    await clawing.getByText('you can reinstate the purchase').waitFor();
    const amount = clawing.getByLabel('Amount from Bob in USD');
    const submit = clawing.getByRole('button', { name: /^Claw back/ });
    await amount.fill('');
    for (const [key, label] of [
      ['1', 'Claw back 1.00 USD'],
      ['2', 'Claw back 12.00 USD'],
      [',', 'Claw back 12.00 USD'],
      ['5', 'Claw back 12.50 USD'],
    ] as const) {
      await amount.press(key);
      if (key !== ',') await clawing.getByRole('button', { name: label }).waitFor();
    }
    expect(await amount.inputValue()).toBe('12,5');
    await amount.fill('50.01');
    await clawing.getByLabel(/^Type .* to confirm/).fill('50.01');
    expect(await submit.isDisabled()).toBe(true);
    await amount.fill('12,50');
    await clawing.getByLabel('Type 12.50 to confirm').fill('12.50');
    await submit.click();
    await clawing.waitFor({ state: 'detached' });
    const refunds = drawer.getByRole('table', { name: 'Reversals of this purchase' });
    await refunds.getByText('Clawed back (Refund').waitFor();
    await refunds.getByText('12.50 USD').waitFor();

    const support = await open('support', '/p/aurora/transactions?open=partly');
    const seen = support.getByRole('dialog', { name: 'Purchase' });
    await seen.getByText('A colleague who handles payouts can claw it back.').waitFor();
    expect(await seen.getByRole('button', { name: /^(Reverse|Claw back)…$/ }).count()).toBe(0);
    await seen.getByRole('button', { name: 'Reinstate…' }).click();
    const question = support.getByRole('dialog', { name: 'Reinstate this refund of partly?' });
    await question.getByText(/about 12\.50 USD is added to the creator’s next payout/).waitFor();
    await question.getByRole('button', { name: 'Reinstate' }).click();
    await question.getByText('Reason is required.').waitFor();
    await question.getByLabel('Reason').fill('won the dispute');
    await question.getByRole('button', { name: 'Reinstate' }).click();
    await question.waitFor({ state: 'detached' });
    await seen.getByText(/^Reinstated:.*won the dispute$/).waitFor();
    await seen.getByRole('row', { name: /^Net .*50\.00 USD/ }).waitFor();
  },
);
