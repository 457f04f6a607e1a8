import type { Browser, Page } from 'playwright-core';
import { recordShifts, slowDown } from '../../packages/web/test/first-view.ts';
import {
  type Interactions,
  playPortal,
  slowProcessor,
  watchInteractions,
} from '../../packages/web/test/portal/interactions.ts';
import {
  measureView,
  type View,
  viewBudget,
  watchPaint,
} from '../../packages/web/test/portal/measure-view.ts';
import { isSettled, watchRequests } from '../../packages/web/test/screens.ts';
import type { Target } from '../lib/report.ts';
import { logProgress } from '../web/progress.ts';
import type { Creator } from './people.ts';

/** Factor by which a phone's processor is assumed to be slower than this machine's. */
const slowerBy = 4;
const interactionMs = 100;

export interface PhoneFigures {
  views: Record<string, View>;
  interactions: Interactions;
}

/** Measures the portal's pages as a creator opens and uses them on a phone: with slow 4G, or with a slow processor. */
export async function measurePhone(browser: Browser, creator: Creator): Promise<PhoneFigures> {
  const open = async (): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, locale: 'en-GB' });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await context.addCookies([{ ...creator.cookie, url: creator.url }]);
    const page = await context.newPage();
    watchRequests(page);
    return page;
  };
  const views: Record<string, View> = {};
  for (const [name, path] of Object.entries({
    Home: '',
    Earnings: '/earnings',
    Payouts: '/payouts',
    Codes: '/codes',
  })) {
    const page = await open();
    await recordShifts(page);
    await page.addInitScript(watchPaint);
    await slowDown(page, 'slow 4G');
    const view = await measureView(page, `${creator.url}/creators${path}`);
    await page.context().close();
    views[name] = view;
    logProgress(`${name} on slow 4G: largest paint ${Math.round(view.paintMs)} ms, ${view.bytes} bytes`);
  }
  const page = await open();
  await page.addInitScript(watchInteractions);
  await page.goto(`${creator.url}/creators`);
  await isSettled(page);
  await slowProcessor(page, slowerBy);
  const interactions = await playPortal(page);
  await page.context().close();
  logProgress(
    `${interactions.all.length} interactions with a ${slowerBy} times slower processor: p75 ${interactions.p75Ms} ms, the longest ${interactions.longestMs} ms`,
  );
  return { views, interactions };
}

export const phoneTargets = ({ views, interactions }: PhoneFigures): Target[] => [
  ...Object.entries(views).flatMap(([name, { bytes, paintMs, shift }]): Target[] => [
    {
      what: `${name}: largest paint on slow 4G, ms`,
      value: paintMs,
      limit: viewBudget.paintMs,
      direction: 'at most',
    },
    {
      what: `${name}: bytes with an empty cache`,
      value: bytes,
      limit: viewBudget.bytes,
      direction: 'at most',
    },
    { what: `${name}: layout shift`, value: shift, limit: viewBudget.layoutShift, direction: 'at most' },
  ]),
  {
    what: `interaction to next paint with a ${slowerBy} times slower processor, p75 ms`,
    value: interactions.p75Ms,
    limit: interactionMs,
    direction: 'at most',
  },
];
