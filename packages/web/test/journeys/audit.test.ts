import { expect, test } from 'vitest';
import { hasBrowser, useDashboard } from '../browser.ts';

const { open } = useDashboard();

test.skipIf(!hasBrowser)('a change is found, opened by a key, and has an address of its own', async () => {
  const page = await open('manager', '/p/aurora/audit');
  const rows = page.getByRole('table', { name: 'Changes' }).getByRole('row');
  await rows.nth(1).waitFor();
  await page.screenshot({ path: '/tmp/wim-audit.png' });

  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Change' });
  await drawer.getByText('Their id').waitFor();
  await page.waitForTimeout(400);
  await page.screenshot({ path: '/tmp/wim-drawer.png' });
  const first = new URL(page.url()).searchParams.get('open');
  await page.keyboard.press('j');
  await expect.poll(() => new URL(page.url()).searchParams.get('open')).not.toBe(first);

  await page.reload();
  await drawer.waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('');
});

test.skipIf(!hasBrowser)('what is filtered stands in the address, and Back takes it out again', async () => {
  const page = await open('manager', '/p/aurora/audit');
  await page.getByRole('table').waitFor();
  await page.getByLabel('Who').selectOption('staff');
  await expect.poll(() => new URL(page.url()).searchParams.get('actorKind')).toBe('staff');
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.keyboard.type('nothing.like-this');
  await page.getByRole('heading', { name: 'No change matches' }).waitFor();
  await page.goBack();
  await page.getByRole('table').waitFor();
});
