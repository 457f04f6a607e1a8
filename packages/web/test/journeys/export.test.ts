import { expect, test } from 'vitest';
import { hasBrowser, useDashboard } from '../browser.ts';
import { payingOf } from '../paying.ts';

const dashboard = useDashboard({ mayFail: true });
const { open } = dashboard;
const { makeGroup, earn } = payingOf(dashboard);

test.skipIf(!hasBrowser)('an export that breaks saves no file, and can be repeated or canceled', async () => {
  await makeGroup('export');
  await earn('export', 'A', 100);
  const page = await open('finance', '/p/aurora/transactions?group=export');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export CSV' });
  const downloads: string[] = [];
  page.on('download', (file) => downloads.push(file.suggestedFilename()));
  await page.route('**/transactions.csv*', (route) => route.abort());
  await dialog.getByRole('button', { name: 'Download' }).click();
  await dialog.getByRole('alert').getByText('Couldn’t export. No file was saved.').waitFor();
  await page.unroute('**/transactions.csv*');
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/transactions.csv*', async (route) => {
    await released;
    await route.continue();
  });
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByRole('progressbar', { name: 'Export progress' }).waitFor({ state: 'attached' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'hidden' });
  release();
  await page.waitForTimeout(300);
  expect(downloads).toEqual([]);
});
