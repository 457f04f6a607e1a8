import { expect, test } from 'vitest';
import { settleAll } from '../../../server/test/money.ts';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';
import { isSettled, tooWideBy } from '../screens.ts';

const { open, service } = useDashboard();

test.skipIf(!hasBrowser)('rehearses a payout in a sandbox without changing live', async () => {
  const page = await open('owner', '/p/aurora/overview');
  await page.getByRole('link', { name: 'Sandbox' }).click();
  await page.getByRole('button', { name: 'Copy the live program' }).click();
  const banner = page.getByRole('region', { name: 'Sandbox' });
  await banner.getByText('Sandbox of Aurora Games.').waitFor();
  expect(page.url()).toContain('/p/aurora-sandbox/sandbox');
  expect(await banner.textContent()).toContain('same as real time');

  await page.getByLabel('Code').fill('alice');
  await page.getByLabel('Amount').fill('50.00');
  await page.keyboard.press('Enter');
  await page.getByText('Recorded 50.00 USD with the code alice').waitFor();
  await settleAll(service().testDatabase.database.db);
  await page.getByRole('link', { name: 'Payouts', exact: true }).first().click();
  await page.getByRole('table', { name: 'Due by group and currency' }).getByRole('link').first().click();
  await page
    .getByRole('table', { name: 'Creators in this payout' })
    .getByText('Not due yet', { exact: true })
    .first()
    .waitFor();

  // Advances the clock by a month with the keyboard, so that the purchase becomes due.
  const advance = banner.getByRole('button', { name: 'Advance clock…' });
  await advance.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: '+ 30 days' }).focus();
  await expectAccessible(page, 'the dialog');
  await page.keyboard.press('Enter');
  await banner.getByText('30 days ahead').waitFor();
  // The banner and the preview's cutoff show the sandbox clock's time.
  await page.getByText('Cutoff:').waitFor();
  for (const place of [banner, page.getByText('Cutoff:')]) {
    const aheadMs = async () =>
      Date.parse((await place.locator('time').first().getAttribute('datetime')) ?? '') - Date.now();
    // The preview of the earlier cutoff stays until the new preview arrives.
    await expect.poll(async () => Math.abs((await aheadMs()) - 30 * 86_400_000)).toBeLessThan(3_600_000);
  }
  await page.getByRole('button', { name: /^Create( \d+)? payouts?$/ }).click();
  await page.getByRole('dialog').getByRole('row', { name: 'USD 10.00' }).waitFor();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Create( \d+)? payouts?$/ })
    .click();
  await page.getByText('To be paid').waitFor();
  const paidAt = page.url();
  await page.getByRole('link', { name: 'Payouts', exact: true }).first().click();
  await page.getByText('No amounts due').first().waitFor();
  await page.getByRole('button', { name: 'Advance 30 days' }).click();
  await banner.getByText('60 days ahead').waitFor();
  expect(await page.getByText('Set the variable KEY').count()).toBe(0);
  await page.goto(paidAt);

  await page.setViewportSize({ width: 360, height: 740 });
  await isSettled(page);
  expect(await tooWideBy(page)).toBeLessThanOrEqual(0);
  await expectAccessible(page, 'the page under the banner');
  await banner.getByRole('link', { name: 'Back to Aurora Games' }).click();
  await page.waitForURL((url) => url.pathname === '/p/aurora/payouts');
  expect(await banner.count()).toBe(0);

  // Copying again closes the previous sandbox after a confirmation.
  await page.setViewportSize({ width: 1_280, height: 800 });
  await page.getByRole('link', { name: 'Sandbox' }).click();
  await page.getByRole('button', { name: 'Copy the live program again…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Copy the live program' }).click();
  await banner.getByText('same as real time').waitFor();
  expect(page.url()).toContain('/p/aurora-sandbox-2/sandbox');
});
