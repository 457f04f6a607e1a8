import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';

const { open } = useDashboard({ hasDemo: true });

/** Returns the edges of a scrolling table behind which there is more, which fade. */
const faded = async (area: Locator): Promise<string[]> => {
  const edges: string[] = [];
  for (const edge of ['before', 'after'])
    if ((await area.getAttribute(`data-more-${edge}`)) !== null) edges.push(edge);
  return edges;
};

test.skipIf(!hasBrowser)(
  'a table that is wider than a phone fades at the edge that has more behind it, and can be scrolled with the keyboard',
  async () => {
    const page = await open('owner', '/p/aurora/team?tab=roles', { size: { width: 360, height: 740 } });
    const area = page.getByRole('region', { name: 'Roles and permissions' });
    await area.waitFor();
    expect(await faded(area)).toEqual(['after']);
    expect(
      await page.evaluate("getComputedStyle(document.querySelector('[data-more-after]')).maskImage"),
    ).toContain('linear-gradient');
    await expectAccessible(page);
    await area.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => faded(area)).toEqual(['before', 'after']);
    await page.evaluate("document.querySelector('[data-more-after]').scrollLeft = 10_000");
    await expect.poll(() => faded(area)).toEqual(['before']);
    await page.setViewportSize({ width: 1_440, height: 900 });
    await area.waitFor({ state: 'detached' });
    await page.getByRole('table', { name: 'Roles and permissions' }).waitFor();
  },
);

test.skipIf(!hasBrowser)('on a phone, rows that lead to a page show that they open', async () => {
  const page = await open('owner', '/p/aurora/webhooks', { size: { width: 360, height: 740 } });
  const row = page.getByRole('row', { name: /aurora\.example/ });
  const chevron = row.locator('td').last().locator('svg');
  await chevron.waitFor();
  const [line, mark] = [await row.boundingBox(), await chevron.boundingBox()];
  // It is at the end of the row, as in other lists.
  expect((line?.x ?? 0) + (line?.width ?? 0) - (mark?.x ?? 0)).toBeLessThan(32);
  // The row's link lies over it.
  await chevron.click({ force: true });
  await page.getByRole('heading', { name: 'Endpoint' }).waitFor();
  await page.goto(new URL('/p/aurora/payouts/made', page.url()).href);
  await page
    .getByRole('table', { name: 'Payouts' })
    .locator('tbody tr')
    .first()
    .locator('td')
    .last()
    .locator('svg')
    .click({ force: true });
  await page.waitForURL(/\/payouts\/0/);
});

test.skipIf(!hasBrowser)('lists count what they leave out in one form', async () => {
  const page = await open('owner', '/p/aurora/webhooks');
  await page
    .getByRole('row', { name: /aurora\.example/ })
    .getByText(/^\+\d+ more$/)
    .waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(new URL('/p/aurora/creators', page.url()).href);
  await page
    .getByRole('row')
    .getByText(/^\+\d+ more$/)
    .first()
    .waitFor();
  expect(
    await page
      .getByRole('row')
      .getByText(/^\d+ more$/)
      .count(),
  ).toBe(0);
});
