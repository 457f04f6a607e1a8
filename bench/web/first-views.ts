import type { Browser } from 'playwright-core';
import { layoutShift } from '../../packages/web/test/first-view.ts';
import { screenPaths } from '../../packages/web/test/screens.ts';
import { median } from '../lib/report.ts';
import { keptBy, openCold } from './browser.ts';
import { publisherId } from './fill.ts';
import { say } from './progress.ts';
import type { Staff } from './staff.ts';

export interface FirstView {
  path: string;
  /** Medians of the loads. */
  lcpMs: number;
  /** The largest of them. */
  shift: number;
}

const loads = 3;

/** Sign-in and every screen, each opened with nothing in the cache. */
export async function measureFirstViews(browser: Browser, staff: Staff): Promise<FirstView[]> {
  const home = `/p/${publisherId}/`;
  const first = await openCold(browser, staff.url, staff, `${home}overview`);
  const paths = await screenPaths(first);
  await first.context().close();
  const views: FirstView[] = [];
  for (const path of ['/sign-in', ...paths]) {
    const lcps: number[] = [];
    const shifts: number[] = [];
    while (lcps.length < loads) {
      const page = await openCold(browser, staff.url, path === '/sign-in' ? null : staff, path);
      const kept = await keptBy(page);
      await page.context().close();
      lcps.push(kept.lcpMs);
      shifts.push(layoutShift(kept.shifts));
    }
    const view = { path: path.replace(home, ''), lcpMs: median(lcps), shift: Math.max(...shifts) };
    say(`${view.path}: largest paint ${Math.round(view.lcpMs)} ms, layout shift ${view.shift.toFixed(3)}`);
    views.push(view);
  }
  return views;
}
