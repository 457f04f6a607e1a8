import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';
import { isSettled, tooWideBy } from '../screens.ts';

const { open, service } = useDashboard();

beforeAll(async () => {
  if (hasBrowser) await service().provision('{ publisher: { id: fresh, name: Fresh } }');
});

const guideOf = (page: Page) => page.getByRole('region', { name: 'Payout rehearsal' });

test.skipIf(!hasBrowser)(
  'loads demo data from the empty landing in one click, and guides through a first payout',
  async () => {
    const page = await open('owner', '/p/fresh/overview', { publisherId: 'fresh' });
    const list = page.getByRole('region', { name: 'First steps' });
    await list.getByRole('button', { name: 'Load demo data' }).click();
    await page.getByRole('progressbar', { name: 'Loading demo data' }).waitFor();
    await page.waitForURL((url) => url.pathname === '/p/fresh-sandbox/overview', { timeout: 60_000 });
    await page.getByRole('table', { name: 'Latest purchases' }).waitFor();

    // Every step of the guide opens the screen where it is done, and is checked off from the data.
    const guide = guideOf(page);
    await guide.getByText('Step 1 of 7:').waitFor();
    const ticked = guide.getByRole('listitem').filter({ has: page.getByRole('img', { name: 'Done' }) });
    // On a wide screen, the list of steps is open from the start.
    await expect.poll(() => guide.getByRole('listitem').count()).toBe(7);
    expect(await ticked.count()).toBe(0);
    await guide.getByRole('button', { name: 'Advance the clock past the hold period' }).first().focus();
    await page.keyboard.press('Enter');
    const advancing = page.getByRole('dialog');
    await advancing.getByText('Hold period: 30 days (Royale Creators: 14 days)', { exact: true }).waitFor();
    await advancing.getByRole('button', { name: '+ 30 days' }).click();
    await guide.getByText('Step 2 of 7:').waitFor();
    expect(await ticked.allInnerTexts()).toEqual(['Advance the clock past the hold period']);
    await expectAccessible(page, 'the guide');
    // On a phone, the guide is a single line until its steps are opened.
    const size = page.viewportSize() ?? { width: 1_280, height: 800 };
    await page.setViewportSize({ width: 360, height: 740 });
    await guide.getByText('Step 2 of 7:').waitFor();
    expect((await guide.boundingBox())?.height).toBeLessThan(70);
    expect(await guide.getByRole('listitem').count()).toBe(0);
    await guide.getByRole('button', { name: 'Steps' }).click();
    await guide.getByText('See it deducted from the next payout').waitFor();
    await page.setViewportSize(size);
    const next = (name: string) => guide.getByRole('link', { name }).first();
    // The amounts due in all groups are a preview, too.
    await next('Preview the payout').waitFor();
    const screens = page.getByRole('navigation', { name: 'Screens' });
    await screens.getByRole('link', { name: 'Payouts', exact: true }).click();
    await guide.getByText('Step 3 of 7:').waitFor();
    await next('Create the payout').click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Create( \d+)? payouts?$/ })
      .click();
    await guide.getByText('Step 4 of 7:').waitFor();
    await page.goto(`${service().url}/p/fresh-sandbox/overview`);
    await guide.getByText('Step 4 of 7:').waitFor();
    await next('Download the file for your bank').click();
    const file = page.getByRole('button', { name: 'Download payment file' });
    await expect.poll(() => file.evaluate((element) => element.matches(':focus'))).toBe(true);
    await page.keyboard.press('Enter');
    const csv = page.getByRole('menuitem', { name: /^CSV without accounts/ });
    await csv.waitFor();
    await expectAccessible(page, 'the menu of files');
    for (let at = 0; at < 9 && !(await csv.evaluate((element) => element.matches(':focus'))); at++)
      await page.keyboard.press('ArrowDown');
    const download = page.waitForEvent('download');
    await page.keyboard.press('Enter');
    expect((await download).suggestedFilename()).toMatch(/^sandbox-payout-.*\.csv$/);
    await guide.getByText('Step 5 of 7:').waitFor();
    await next('Mark the payout as paid').click();
    const paying = page.getByRole('dialog');
    const total = (await paying.textContent())?.match(/([\d,.]+) USD/)?.[1] ?? '';
    await paying.getByRole('textbox').fill(total);
    await paying.getByRole('button', { name: 'Mark as paid' }).click();
    await guide.getByText('Step 6 of 7:').waitFor();
    await next('Claw back a refunded purchase').click();
    const clawing = page.getByRole('dialog');
    const clawBack = clawing.getByRole('button', { name: /^Claw back .* USD$/ });
    const amount = (await clawBack.textContent())?.match(/([\d,.]+)\s+USD/)?.[1] ?? '';
    await clawing.getByRole('textbox').last().fill(amount);
    await clawBack.click();
    await guide.getByText('Step 7 of 7:').waitFor();
    await next('See it deducted from the next payout').click();
    await guide.getByText('Complete. A live payout works the same way.').waitFor();
    // After the page is loaded again, a complete guide is closed.
    await page.reload();
    await guide.getByText('Complete.').waitFor();
    expect(await guide.getByRole('listitem').count()).toBe(0);

    await page.setViewportSize({ width: 360, height: 740 });
    await guide.getByRole('button', { name: 'Steps' }).click();
    await isSettled(page);
    expect(await tooWideBy(page)).toBeLessThanOrEqual(0);
    await expectAccessible(page, 'the guide on a phone');

    // The guide stays hidden for this person, also on another page, until it is shown again.
    await guide.getByRole('button', { name: 'Hide rehearsal' }).click();
    await guide.waitFor({ state: 'detached' });
    await page.goto(`${service().url}/p/fresh-sandbox/sandbox`);
    await page.getByRole('button', { name: 'Show rehearsal' }).waitFor();
    expect(await guide.count()).toBe(0);
    await page.getByRole('button', { name: 'Show rehearsal' }).click();
    await guide.getByText('Complete.').waitFor();
  },
  120_000,
);

test.skipIf(!hasBrowser)(
  'replaces a sandbox with demo data, and removes it',
  { timeout: 120_000 },
  async () => {
    const page = await open('manager', '/p/fresh/sandbox', { publisherId: 'fresh' });
    await page.getByText('Demo data loaded').waitFor();
    await page.getByRole('button', { name: 'Load demo data…' }).click();
    const question = page.getByRole('dialog');
    await question.getByRole('button', { name: 'Load demo data' }).click();
    await question.getByRole('progressbar').waitFor();
    await page.waitForURL((url) => url.pathname === '/p/fresh-sandbox-2/overview', { timeout: 60_000 });
    await page.getByRole('table', { name: 'Latest purchases' }).waitFor();
    expect(await guideOf(page).count(), 'managers pay no creators').toBe(0);
    await page.goto(`${service().url}/p/fresh/sandbox`);
    await page.getByRole('button', { name: 'Remove…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove sandbox' }).click();
    await page.getByRole('heading', { name: 'No sandbox yet' }).waitFor();
    const finance = await open('finance', '/p/fresh/sandbox', { publisherId: 'fresh' });
    await finance.getByRole('heading', { name: 'No sandbox yet' }).waitFor();
    expect(await finance.getByRole('button', { name: 'Load demo data' }).count()).toBe(0);
  },
);
