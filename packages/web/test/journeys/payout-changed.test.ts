import { expect, test } from 'vitest';
import { asRole } from '../../../server/test/admin.ts';
import { transactionsPath } from '../../../server/test/transactions.ts';
import { hasBrowser, useDashboard } from '../browser.ts';
import { payingOf } from '../paying.ts';

const soon = { timeout: 10_000 };
const dashboard = useDashboard();
const { open } = dashboard;
const { makeGroup, earn } = payingOf(dashboard);

async function refund(transactionId: string): Promise<void> {
  const { status } = await dashboard.service().call('PATCH', `${transactionsPath}/${transactionId}`, {
    key: dashboard.keys().backend,
    form: { action: 'Refund' },
  });
  expect(status).toBe(200);
}

test.skipIf(!hasBrowser)(
  'shows who gets less since the preview, asks once, and pays the rest in all currencies',
  async () => {
    await makeGroup('changed', 'holdDays: 0,');
    await earn('changed', 'A', 1_000);
    const sold = await earn('changed', 'A', 500);
    await earn('changed', 'B', 70, { currency: 'EUR' });
    const page = await open('finance', '/p/aurora/payouts?group=changed');
    const totals = page.getByRole('table', { name: 'Totals by currency' });
    await expect.poll(() => totals.textContent(), soon).toContain('15.00 USD');
    await refund(sold);
    await page.getByRole('button', { name: /^Create( \d+)? payouts?$/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Create( \d+)? payouts?$/ }).click();
    await dialog.getByText('1 creator gets less: 1 refund, −5.00 USD').waitFor();
    const table = dialog.getByRole('table', { name: 'What changed' });
    const rows = (await table.getByRole('row').allInnerTexts()).map((row) =>
      row.replaceAll(/\s+/g, ' ').trim(),
    );
    expect(rows).toEqual([
      'Creator Preview Now',
      'Creator A refund 15.00 USD 10.00 USD',
      'Total in USD 15.00 USD 10.00 USD',
    ]);
    expect(await dialog.textContent()).not.toMatch(/\d{4}-\d\d-\d\dT/);
    await page.setViewportSize({ width: 360, height: 740 });
    await table.getByRole('columnheader', { name: 'Preview, now' }).waitFor();
    const tooWide = `(() => {
      const { parentElement: box } = document.querySelector('table[aria-label="What changed"]');
      return box.scrollWidth - box.clientWidth;
    })()`;
    expect(await page.evaluate(tooWide)).toBe(0);
    await page.setViewportSize({ width: 1_280, height: 800 });
    await dialog.getByRole('button', { name: 'Pay the lower amounts' }).click();
    await page
      .getByRole('row', { name: /10\.00 USD/ })
      .getByRole('link')
      .first()
      .click();
    const reductions = page.getByRole('table', { name: 'Less than in the preview' });
    await expect.poll(() => reductions.textContent(), soon).toContain('Creator Arefund15.00 USD10.00 USD');
  },
);

test.skipIf(!hasBrowser)('pays the unaffected currency alone after a hold was released', async () => {
  await makeGroup('released', 'holdDays: 0,');
  const kept = await earn('released', 'A', 500);
  await earn('released', 'A', 1_000);
  await earn('released', 'B', 70, { currency: 'EUR' });
  const support = await asRole(dashboard.service(), 'support');
  const { body } = await support('POST', `/transactions/${kept}/holds`, { reason: 'dispute' });
  const page = await open('finance', '/p/aurora/payouts?group=released');
  const totals = page.getByRole('table', { name: 'Totals by currency' });
  await expect.poll(() => totals.textContent(), soon).toContain('10.00 USD');
  await support('POST', `/holds/${body.holds[0].holdId}/release`, { reason: 'won' });
  await page.getByRole('button', { name: /^Create( \d+)? payouts?$/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Create( \d+)? payouts?$/ }).click();
  await dialog.getByText('hold released').waitFor();
  await dialog.getByRole('button', { name: 'Create payout in EUR only' }).click();
  await expect.poll(() => totals.textContent(), soon).toContain('15.00 USD');
});

test.skipIf(!hasBrowser)('a pay run asks once before it pays the lower amounts', async () => {
  await makeGroup('lower', 'holdDays: 0,');
  await earn('lower', 'A', 1_000);
  const sold = await earn('lower', 'A', 410);
  const page = await open('finance', '/p/aurora/payouts');
  await page.getByRole('checkbox', { name: 'Pay lower', exact: true }).waitFor();
  await refund(sold);
  await page.getByRole('button', { name: /^Create( \d+)? payouts?$/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Create( \d+)? payouts?$/ }).click();
  await page.getByText('lower, 14.10 USD: 1 creator gets less: 1 refund, −4.10 USD').waitFor();
  await page.getByRole('button', { name: 'Pay the lower amounts' }).click();
  await dialog.getByText('Creator A: 10.00 USD instead of 14.10 USD (refund)').waitFor();
  await dialog.getByRole('button', { name: 'Create 1 payout' }).click();
  const reductions = page.getByRole('table', { name: 'Less than in the preview' });
  await expect.poll(() => reductions.textContent(), soon).toContain('Creator Arefund14.10 USD10.00 USD');
});

test.skipIf(!hasBrowser)('previews again and asks for confirmation again with one button', async () => {
  await makeGroup('again', 'holdDays: 0,');
  await earn('again', 'A', 1_000);
  const sold = await earn('again', 'A', 500);
  const page = await open('finance', '/p/aurora/payouts?group=again');
  const totals = page.getByRole('table', { name: 'Totals by currency' });
  await expect.poll(() => totals.textContent(), soon).toContain('15.00 USD');
  await refund(sold);
  await page.getByRole('button', { name: /^Create( \d+)? payouts?$/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Create( \d+)? payouts?$/ }).click();
  await dialog.getByRole('button', { name: 'Preview again and create' }).click();
  await dialog.getByRole('row', { name: 'USD 10.00 10.00 1 1', exact: true }).waitFor();
  await dialog.getByRole('button', { name: /^Create( \d+)? payouts?$/ }).click();
  await page.getByText('To be paid').waitFor();
});
