import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { hasBrowser, useDashboard } from '../browser.ts';
import { isSettled } from '../screens.ts';

const { open, service } = useDashboard();

beforeAll(async () => {
  if (!hasBrowser) return;
  const group = '{ id: main, default: true, revShare: 10 }';
  const withCode =
    '{ id: main, default: true, revShare: 10, members: [ { id: acc_coded, codes: [ { code: CODED } ] } ] }';
  await service().provision('{ publisher: { id: bare, name: Bare } }');
  await service().provision(`{ publisher: { id: grouped, name: Grouped }, groups: [ ${group} ] }`);
  await service().provision(`{ publisher: { id: coded, name: Coded }, groups: [ ${withCode} ] }`);
});

/** Screens and tabs on which a publisher without purchases has something to do. */
const places = [
  'overview',
  'transactions',
  'creators',
  'creators?tab=pending',
  'creators?tab=codes',
  'shares',
  'shares?tab=tiers',
  'shares?tab=skus',
  'shares?tab=groups',
  'bounties',
  'bounties?tab=rewards',
  'payouts',
  'payouts/made',
  'payouts/runs',
  'payouts/owed',
  'payouts/month',
  'ledger',
  'connectors',
  'webhooks',
  'developers',
  'developers?tab=activity',
  'team',
  'team?tab=tokens',
  'sandbox',
];

interface Seen {
  /** Main buttons. */
  main: string[];
  /** Explanations of more than two lines. */
  long: string[];
  /** Number of buttons that load demo data, and of empty lists that need one. */
  demoCount: number;
  emptyCount: number;
}

// The script is a string, because the tests lack the DOM types.
const look = `(() => {
  const shown = (element) => element.checkVisibility() && element.getBoundingClientRect().height > 0;
  const linesOf = (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom / 4))).size;
  };
  const isFilled = ({ dataset }) => (dataset.variant ?? 'filled') === 'filled';
  return {
    main: [...document.querySelectorAll('main .mantine-Button-root')].filter((each) => shown(each) && isFilled(each)).map(({ textContent }) => textContent),
    emptyCount: [...document.querySelectorAll('main [data-empty]')].filter(shown).length,
    demoCount: [...document.querySelectorAll('main button')].filter((each) => shown(each) && each.textContent === 'Load demo data').length,
    long: [...document.querySelectorAll('main [data-empty] > .mantine-Text-root, main h1 + div')].filter((each) => shown(each) && linesOf(each) > 2).map(({ textContent }) => textContent),
  };
})()`;

test.skipIf(!hasBrowser).each(['bare', 'grouped', 'coded'])(
  'offers a single next step on each screen without purchases, in at most two lines (%s)',
  async (publisherId) => {
    const page = await open('owner', `/p/${publisherId}/overview`, { publisherId });
    for (const width of [1_280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      for (const place of places) {
        await goTo(page, `/p/${publisherId}/${place}`);
        const seen = (): Promise<Seen> => page.evaluate(look);
        await expect
          .poll(async () => (await seen()).main, { timeout: 10_000, message: `main buttons of ${place}` })
          .toHaveLength(1);
        const needsDemo = ({ emptyCount }: Seen): boolean => place === 'overview' || emptyCount > 0;
        const lacksDemo = (each: Seen): boolean =>
          each.demoCount !== (needsDemo(each) && !place.startsWith('team') ? 1 : 0);
        await expect
          .poll(async () => lacksDemo(await seen()), { message: `offers of demo data on ${place}` })
          .toBe(false);
        expect((await seen()).long, `long texts of ${place} at ${width} pixels`).toEqual([]);
      }
    }
  },
  300_000,
);

test.skipIf(!hasBrowser)('leads to the form of a sandbox where a purchase needs a terminal', async () => {
  const page = await open('owner', '/p/coded/transactions', { publisherId: 'coded' });
  const isForm = async (): Promise<void> => {
    await page.waitForURL(/\/p\/coded-sandbox\/sandbox$/);
    await page.getByRole('button', { name: 'Record purchase' }).waitFor();
  };
  await page.getByText('Live purchases come from your back end or a connector.').waitFor();
  await page.getByRole('button', { name: 'Record a purchase with a form' }).click();
  await isForm();
  await page.goto(`${service().url}/p/coded/transactions`);
  await page.getByRole('link', { name: 'Record a purchase with a form' }).click();
  await isForm();
});

async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`window.history.pushState({}, '', ${JSON.stringify(path)})`);
  await isSettled(page);
}
