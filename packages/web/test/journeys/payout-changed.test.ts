import { expect, test } from 'vitest';
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
  'shows what changed since the preview, and pays the unchanged currency alone',
  async () => {
    await makeGroup('changed', 'holdDays: 0,');
    await earn('changed', 'A', 1_000);
    const sold = await earn('changed', 'A', 500);
    await earn('changed', 'B', 70, { currency: 'EUR' });
    const page = await open('finance', '/p/aurora/payouts?group=changed');
    const totals = page.getByRole('table', { name: 'Totals by currency' });
    await expect.poll(() => totals.textContent(), soon).toContain('15.00 USD');
    await refund(sold);
    await page.getByRole('button', { name: 'Create payout' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create payout' }).click();
    const table = dialog.getByRole('table', { name: 'What changed' });
    await table.waitFor();
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
    // EUR didn't change, so it isn't blocked.
    await dialog.getByRole('button', { name: 'Create payout in EUR only' }).click();
    await expect.poll(() => totals.textContent(), soon).toContain('10.00 USD');

    await page.getByRole('button', { name: 'Create payout' }).click();
    await dialog.getByRole('button', { name: 'Create payout' }).click();
    await page.getByText('To be paid').waitFor();
  },
);

test.skipIf(!hasBrowser)('previews again and asks for confirmation again with one button', async () => {
  await makeGroup('again', 'holdDays: 0,');
  await earn('again', 'A', 1_000);
  const sold = await earn('again', 'A', 500);
  const page = await open('finance', '/p/aurora/payouts?group=again');
  const totals = page.getByRole('table', { name: 'Totals by currency' });
  await expect.poll(() => totals.textContent(), soon).toContain('15.00 USD');
  await refund(sold);
  await page.getByRole('button', { name: 'Create payout' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create payout' }).click();
  await dialog.getByRole('button', { name: 'Preview again and create' }).click();
  await dialog.getByText('to 1 creator for 1 purchase').waitFor();
  await dialog.getByText('10.00 USD').waitFor();
  await dialog.getByRole('button', { name: 'Create payout' }).click();
  await page.getByText('To be paid').waitFor();
});
