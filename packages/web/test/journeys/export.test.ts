import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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

test.skipIf(!hasBrowser)('leaves a file that turns out to be too large to the browser', async () => {
  const piece = Buffer.alloc(1_000_000, 'one,two\r\n');
  const sent = { pieces: 0, isClosed: false };
  const endless = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/csv' });
    const send = (): void => {
      if (response.destroyed) return;
      sent.pieces += 1;
      response.write(piece, () => setImmediate(send));
    };
    response.on('close', () => {
      sent.isClosed = true;
    });
    send();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => endless.once('listening', resolve));
  const { port } = endless.address() as AddressInfo;
  try {
    await makeGroup('large');
    await earn('large', 'A', 100);
    const page = await open('finance', '/p/aurora/transactions?group=large');
    await page.route('**/transactions.csv*', (route) =>
      route.continue({ url: `http://127.0.0.1:${port}/endless` }),
    );
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export CSV' });
    await dialog.getByRole('button', { name: 'Download' }).click();
    await dialog.getByText('The file is larger than 100 MB').waitFor({ timeout: 60_000 });
    const browser = dialog.getByRole('link', { name: 'Download in browser' });
    expect(await browser.getAttribute('href')).toMatch(/transactions\.csv\?group=large/);
    await expect.poll(() => sent.isClosed, { message: 'the page stops reading' }).toBe(true);
    expect(sent.pieces, 'megabytes that were sent').toBeLessThan(200);
  } finally {
    endless.closeAllConnections();
    endless.close();
  }
});
