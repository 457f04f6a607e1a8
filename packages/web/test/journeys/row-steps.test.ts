import { expect, test } from 'vitest';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';

const { open } = useDashboard({ hasDemo: true, mayFail: true });

test.skipIf(!hasBrowser)('steps from row to row, and from page to page, while a row is open', async () => {
  const page = await open('support', '/p/aurora/transactions');
  const openers = page.getByRole('table', { name: 'Transactions' }).getByRole('button', { name: /^Open / });
  await openers.first().click();
  const drawer = page.getByRole('dialog', { name: 'Purchase' });
  const [previous, next] = ['Previous row', 'Next row'].map((name) => drawer.getByRole('button', { name }));
  const opened = (): string | null => new URL(page.url()).searchParams.get('open');
  const isAt = (row: string) => drawer.getByText(row, { exact: true }).waitFor();
  await isAt('1 of 50+');
  const first = opened();
  expect(await previous?.getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('k');
  expect(opened()).toBe(first);
  await next?.click();
  await isAt('2 of 50+');
  expect(opened()).not.toBe(first);
  await page.keyboard.press('k');
  await isAt('1 of 50+');
  expect(opened()).toBe(first);
  await expectAccessible(page, 'the steps');
  await page.goBack();
  await drawer.waitFor({ state: 'detached' });

  await openers.last().click();
  await isAt('50 of 50+');
  await next?.click();
  await isAt('51 of 100+');
  await drawer.getByRole('heading').first().waitFor();
  await previous?.click();
  await isAt('50 of 50+');
  await page.keyboard.press('j');
  await isAt('51 of 100+');
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Previous', exact: true }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('cursor')).toBe(null);
});

test.skipIf(!hasBrowser)('keeps the row open if the next page can’t be loaded', async () => {
  const page = await open('support', '/p/aurora/transactions');
  const openers = page.getByRole('table', { name: 'Transactions' }).getByRole('button', { name: /^Open / });
  await openers.last().click();
  const drawer = page.getByRole('dialog', { name: 'Purchase' });
  await drawer.getByText('50 of 50+').waitFor();
  await page.route(/transactions\?.*cursor=/, (route) =>
    route.fulfill({ status: 429, json: { code: 'RateLimited', message: 'Not now.' } }),
  );
  await drawer.getByRole('button', { name: 'Next row' }).click();
  await page.getByRole('alert').getByText('Not now.').waitFor();
  await drawer.getByRole('button', { name: 'Copy explanation' }).waitFor();
  expect(await drawer.getByRole('button', { name: 'Next row' }).count(), 'no list to step through').toBe(0);
});

test.skipIf(!hasBrowser)('steps through the payouts of a filtered list, and returns to it', async () => {
  const page = await open('finance', '/p/aurora/payouts/made?status=Paid');
  const table = page.getByRole('table', { name: 'Payouts', exact: true });
  await table.getByRole('link').first().click();
  const steps = page.getByRole('group', { name: 'Rows of the list' });
  await steps.getByText(/^1 of \d+$/).waitFor();
  const heading = page.getByRole('heading', { name: /^Payout \d+$/ });
  const first = await heading.textContent();
  await steps.getByRole('button', { name: 'Next row' }).click();
  await steps.getByText(/^2 of \d+$/).waitFor();
  await expect.poll(() => heading.textContent()).not.toBe(first);
  await page.keyboard.press('k');
  await expect.poll(() => heading.textContent()).toBe(first);
  await expectAccessible(page, 'the payout');
  await page.reload();
  await steps.getByText(/^1 of \d+$/).waitFor();
  await page.getByRole('link', { name: 'All payouts' }).click();
  await table.waitFor();
  expect(new URL(page.url()).searchParams.get('status')).toBe('Paid');
  await page.getByLabel('Currency').selectOption('CHF');
  await page.getByRole('heading', { name: 'No matching payouts' }).waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click();
  await table.waitFor();
  expect(new URL(page.url()).search).toBe('');
});
