import { expect, test } from 'vitest';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';

const { open } = useDashboard();

test.skipIf(!hasBrowser)('who is signed out is led to the sign-in page', async () => {
  const page = await open(null, '/p/aurora?group=main');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/sign-in');
  await expectAccessible(page);
});

test.skipIf(!hasBrowser)('an owner sees the publisher and its screens', async () => {
  const page = await open('owner', '/p/aurora');
  await page.getByRole('banner').getByText('Aurora Games').waitFor();
  await expectAccessible(page);
});
