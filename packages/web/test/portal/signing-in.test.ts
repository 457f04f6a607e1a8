import type { Page } from 'playwright-core';
import { describe, test } from 'vitest';
import { hasBrowser } from '../browser.ts';
import { usePortalPages } from '../portal.ts';

const portal = await usePortalPages();
const { visit, nextMail, makeGroup, earn, settle, authCode } = portal;

async function requestCode(page: Page, email: string) {
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Send code' }).click();
  const mail = await nextMail();
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
  return mail;
}

describe.skipIf(!hasBrowser)('a creator', () => {
  test('signs in with a typed code, connects an account, and sees the amounts', async () => {
    await makeGroup('enter');
    await earn('enter', 'A', 1_234);
    await settle();
    const page = await visit('');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const { code } = await requestCode(page, 'typed@example.com');
    await page.getByLabel('Code').fill(code.toLowerCase().replace('-', ''));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Connect your creator account' }).waitFor();
    await page.getByRole('link', { name: 'Enter auth code' }).click();
    await page.getByLabel('Auth code').fill(await authCode('acc_enter_A'));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Connect A?' }).waitFor();
    await page.getByRole('button', { name: 'Connect account' }).click();
    await page.getByRole('heading', { name: 'Your earnings' }).waitFor();
    await page.getByText('12.34').first().waitFor();
  });
});
