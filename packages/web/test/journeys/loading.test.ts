import type { Locator, Page, Route } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';
import { isSettled } from '../screens.ts';

const { open, service } = useDashboard({ hasDemo: true });

const api = /\/admin\/v1\/publishers\/aurora\//;
const refuse = (route: Route): Promise<void> =>
  route.fulfill({ status: 429, json: { code: 'RateLimited', message: 'Not now.' } }); // isn't retried

const errorsOn = (page: Page): Locator =>
  page.getByRole('main').getByRole('alert').filter({ hasText: 'Not now.' });

/** Opens a screen while the responses to the matching requests are held back. @returns a function that releases them */
async function openHeld(page: Page, path: string, matching: RegExp): Promise<() => Promise<void>> {
  const held: Route[] = [];
  await page.route(matching, (route) => void held.push(route));
  await page.goto(service().url + path);
  await page.locator('main [aria-busy=true], [role=dialog] [aria-busy=true]').first().waitFor();
  return async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    for (const route of held) await route.continue().catch(() => undefined);
    await isSettled(page);
  };
}

describe.skipIf(!hasBrowser)('a page that fails to load', () => {
  test.each([
    ['settings', ['Branding', 'Creator groups', 'Program file', 'Security', 'Channels', 'Payments'], 7],
    ['ledger', ['Verifications'], 2],
  ])('shows a single error, whose button retries all parts: %s', async (screen, headings, parts) => {
    const page = await open('owner', '/p/aurora/audit');
    await isSettled(page);
    await page.route(api, refuse);
    await page.goto(`${service().url}/p/aurora/${screen}`);
    const alerts = errorsOn(page);
    await alerts.getByText('Couldn’t load this page').waitFor();
    await page.waitForTimeout(300); // a part that fails later would add an error
    expect(await alerts.count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(1);
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForTimeout(300);
    expect(await alerts.count(), 'while the service still fails').toBe(1);

    await page.unrouteAll({ behavior: 'wait' });
    const asked = new Set<string>();
    page.on('request', (request) => {
      if (api.test(request.url())) asked.add(new URL(request.url()).pathname);
    });
    await page.getByRole('button', { name: 'Try again' }).click();
    for (const name of headings) await page.getByRole('heading', { name, exact: true }).waitFor();
    await isSettled(page);
    expect(await alerts.count()).toBe(0);
    expect(asked.size).toBeGreaterThanOrEqual(parts);
  });

  test('shows an error for each part if only some of them fail', async () => {
    const page = await open('owner', '/p/aurora/audit');
    await isSettled(page);
    await page.route(/\/aurora\/(branding|channels)/, refuse);
    await page.goto(`${service().url}/p/aurora/settings`);
    const alerts = errorsOn(page);
    await page.getByRole('heading', { name: 'Creator groups' }).waitFor();
    await expect.poll(() => alerts.count()).toBe(2);
    await page.unrouteAll({ behavior: 'wait' });
    const channels = page.getByRole('region', { name: 'Channels' });
    await channels.getByRole('button', { name: 'Try again' }).click();
    await channels.getByText('Not now.').waitFor({ state: 'detached' });
    expect(await alerts.count(), 'only the other error').toBe(1);
    await alerts.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Branding' }).waitFor();
    expect(await alerts.count()).toBe(0);
  });
});

describe.skipIf(!hasBrowser)('a page that is loading', () => {
  test.each([
    ['/p/aurora/overview', 1],
    ['/p/aurora/creators', 1],
    ['/p/aurora/settings', 1],
    ['/p/aurora/ledger', 1],
    ['/p/aurora/payouts/some', 1],
    ['/p/aurora/connectors', 1],
    ['/p/aurora/connectors/some', 1],
    ['/p/aurora/creators?open=acc_alice', 2], // the list and, over it, the drawer
  ])(
    'is a single busy status to screen readers, and does not move with reduced motion: %s',
    async (path, count) => {
      const page = await open('owner', '/p/aurora/audit');
      await isSettled(page);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      const release = await openHeld(page, path, api);
      await page.waitForTimeout(400);
      const statuses = page.locator('main [role=status], [role=dialog] [role=status]');
      expect(await statuses.allInnerTexts()).toEqual(Array.from({ length: count }, () => 'Loading'));
      const seen = (script: string): Promise<unknown> =>
        page.evaluate(
          `[...document.querySelectorAll('main [aria-busy=true], [role=dialog] [aria-busy=true]')]${script}`,
        );
      // Everything in a placeholder but its status is hidden from screen readers.
      expect(
        await seen(
          `.flatMap((each) => [...each.children]).filter((each) => !each.matches('[role=status], [aria-hidden=true]')).length`,
        ),
      ).toBe(0);
      expect(
        await seen(`.flatMap((each) => each.getAnimations({ subtree: true })).length`),
        'animations',
      ).toBe(0);
      await release();
      await expectAccessible(page);
    },
  );

  test.each([
    ['1440', { width: 1_440, height: 900 }],
    ['360', { width: 360, height: 740 }],
  ])('has the columns, heights and places of the table that follows, %s pixels wide', async (_, size) => {
    const page = await open('owner', '/p/aurora/audit', { size });
    await isSettled(page);
    /** Returns the place and height of the head, the height of a row, and the visible column headings. */
    const shape = (): Promise<{ top: number; head: number; row: number; headings: string[] }> =>
      page.evaluate(`(() => {
        const head = document.querySelector('main thead').getBoundingClientRect();
        const row = document.querySelector('main tbody tr').getBoundingClientRect();
        const headings = [...document.querySelectorAll('main thead th')].filter((each) => each.checkVisibility());
        return {
          top: Math.round(head.top),
          head: Math.round(head.height),
          row: Math.round(row.height),
          headings: headings.map((each) => each.innerText.trim()).filter((text) => text !== ''),
        };
      })()`);
    for (const [screen, matching] of [
      ['creators', /\/members\?/],
      ['transactions', /\/transactions\?/],
    ] as const) {
      const release = await openHeld(page, `/p/aurora/${screen}`, matching);
      await page.locator('main tbody tr').first().waitFor();
      const placeholder = await shape();
      expect(await page.getByRole('main').getByRole('table').count(), 'tables to screen readers').toBe(0);
      await release();
      await page.getByRole('main').getByRole('table').waitFor();
      const table = await shape();
      expect(Math.abs(placeholder.row - table.row), `rows of ${screen}`).toBeLessThanOrEqual(1);
      expect({ ...placeholder, row: table.row }).toEqual(table);
    }
  });
});
