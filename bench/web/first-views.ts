import type { Browser } from 'playwright-core';
import { layoutShift } from '../../packages/web/test/first-view.ts';
import { screenPaths } from '../../packages/web/test/screens.ts';
import { median } from '../lib/report.ts';
import { type Network, openCold, readMetrics } from './browser.ts';
import { publisherId } from './fill.ts';
import { logProgress } from './progress.ts';
import type { Staff } from './staff.ts';

export interface FirstView {
  path: string;
  /** Largest contentful paint: the median of the page loads. */
  lcpMs: number;
  /** Largest contentful paint on slow 4G, of a single load. */
  slowLcpMs: number;
  /** Layout shift: the maximum of the page loads. */
  shift: number;
}

const loads = 3;

/** Measures sign-in and every screen, each opened with an empty cache. */
export async function measureFirstViews(browser: Browser, staff: Staff): Promise<FirstView[]> {
  const home = `/p/${publisherId}/`;
  const first = await openCold(browser, staff.url, staff, { path: `${home}overview` });
  const paths = await screenPaths(first);
  await first.context().close();
  const views: FirstView[] = [];
  for (const path of ['/sign-in', ...paths]) {
    const lcps: number[] = [];
    const shifts: number[] = [];
    const load = async (network: Network): Promise<number> => {
      const page = await openCold(browser, staff.url, path === '/sign-in' ? null : staff, { path, network });
      const metrics = await readMetrics(page);
      await page.context().close();
      shifts.push(layoutShift(metrics.shifts));
      return metrics.lcpMs;
    };
    while (lcps.length < loads) lcps.push(await load('local'));
    const slowLcpMs = await load('slow 4G');
    const view = { path: path.replace(home, ''), lcpMs: median(lcps), slowLcpMs, shift: Math.max(...shifts) };
    logProgress(
      `${view.path}: largest paint ${Math.round(view.lcpMs)} ms, on slow 4G ${Math.round(slowLcpMs)} ms, ` +
        `layout shift ${view.shift.toFixed(3)}`,
    );
    views.push(view);
  }
  return views;
}
