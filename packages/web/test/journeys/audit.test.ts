import { expect, test } from 'vitest';
import { hasBrowser, useDashboard } from '../browser.ts';
import { addFilter } from '../filters.ts';

const { open } = useDashboard();

test.skipIf(!hasBrowser)('opens a change by keyboard, with its own URL', async () => {
  const page = await open('manager', '/p/aurora/audit');
  const rows = page.getByRole('table', { name: 'Changes' }).getByRole('row');
  await rows.nth(1).waitFor();

  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Change' });
  await drawer.getByText('Actor ID').waitFor();
  const first = new URL(page.url()).searchParams.get('open');
  await page.keyboard.press('j');
  await expect.poll(() => new URL(page.url()).searchParams.get('open')).not.toBe(first);

  await page.reload();
  await drawer.waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('');
});

test.skipIf(!hasBrowser)('keeps filters in the URL, and Back removes them', async () => {
  const page = await open('manager', '/p/aurora/audit');
  await page.getByRole('table').waitFor();
  await (await addFilter(page, 'Actor')).selectOption('staff');
  await expect.poll(() => new URL(page.url()).searchParams.get('actorKind')).toBe('staff');
  await page.keyboard.press('Tab');
  await page.keyboard.press('/');
  await page.keyboard.type('Statement');
  await page.getByRole('heading', { name: 'No matching changes' }).waitFor();
  await page.goBack();
  await page.getByRole('table').waitFor();
});

test.skipIf(!hasBrowser)(
  'shows the name of a target, linked to its screen if the role can open it',
  async () => {
    const page = await open('manager', '/p/aurora/audit?target=tier:7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90');
    const table = page.getByRole('table', { name: 'Changes' });
    await page.getByRole('button', { name: 'Open Tier: saved Gold' }).click();
    const drawer = page.getByRole('dialog', { name: 'Change' });
    await drawer.getByText('tier:7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90').waitFor();
    await page.keyboard.press('Escape');
    await table.getByRole('link', { name: 'Gold' }).click();
    await page.getByRole('dialog', { name: 'Tier' }).waitFor();

    await page.goto(new URL('/p/aurora/audit?action=key.create', page.url()).href);
    await table.getByRole('cell', { name: 'moba', exact: true }).waitFor();
    expect(await table.getByRole('link').count()).toBe(0);
    const owner = await open('owner', '/p/aurora/audit?action=key.create');
    await owner.getByRole('table', { name: 'Changes' }).getByRole('link', { name: 'moba' }).waitFor();
  },
);
