import { setTimeout as sleep } from 'node:timers/promises';
import { openBenchDatabase } from './lib/bench-service.ts';
import { median, report, type Target } from './lib/report.ts';
import { addAndPost } from './lib/rows.ts';
import { sustain } from './lib/sustained.ts';
import { settingsForMillions, withBenchService } from './lib/with-service.ts';
import { compareWithOverlays } from './portal/compare-with-overlays.ts';
import {
  type Creator,
  makeAlerts,
  makeQuiet,
  makeStar,
  portalSettings,
  publisherId,
  sellOf,
  signInStar,
  starGroup,
} from './portal/people.ts';
import { measurePhone, phoneTargets } from './portal/phone.ts';
import { percentile } from './web/admin-api.ts';
import { openBrowser } from './web/browser.ts';
import { lightLoad } from './web/light-load.ts';
import { logProgress } from './web/progress.ts';
import { requestedRows } from './web/requested-rows.ts';

/**
 * Measures the creators' portal: Home and Earnings of a creator with many purchases over a year, a million by default
 * (`--rows 5m`), none of them paid, while purchases come in; the pages on a phone, with slow 4G and with a slow processor; and the effect of 500 connected stream alerts on recording: if their
 * creators have a purchase every ten seconds, and if half of all purchases are theirs, which is several per second for each.
 */
const rows = requestedRows(process.argv, 1_000_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 4);
const seconds = Number(process.env.BENCH_SECONDS ?? 8);
const overlayCount = 500;
const times = 60;
const budgetMs = 60;
// Overlays come from many addresses, but those of a benchmark from one.
Object.assign(process.env, portalSettings, { MAX_CONNECTIONS_PER_ADDRESS: '2000' });

await withBenchService({ settings: settingsForMillions, maxMinutes: 30 }, async (service) => {
  const database = openBenchDatabase(service);
  logProgress(`storing ${rows} purchases of one creator`);
  await makeStar(database);
  await addAndPost(service.client, {
    publisherId,
    groupId: starGroup,
    count: rows,
    fromDaysAgo: 365,
    toDaysAgo: 0,
  });
  await service.client.query('vacuum analyze');
  logProgress('stored');
  const creator = await signInStar(service, database);
  const load = lightLoad(service);
  const pages = await measurePages(creator);
  const browser = await openBrowser();
  if (browser === null) logProgress('Chromium was not found (CHROMIUM_PATH), so the pages are not measured');
  const phone = browser === null ? null : await measurePhone(browser, creator);
  await browser?.close();
  const came = await load.stop();

  const quiet = await makeAlerts(service, database, await makeQuiet(database, overlayCount));
  const accountIds = Array.from({ length: overlayCount }, (_, n) => `acc_${n}`);
  const busy = await makeAlerts(service, database, accountIds);
  await database.close();
  const options = { rounds, seconds };
  await sustain(service, { connections: 64, entries: 1, seconds }); // warms up
  const usual = await compareWithOverlays(service, {
    ...options,
    secrets: quiet,
    sell: sellOf(overlayCount),
  });
  const extreme = await compareWithOverlays(service, { ...options, secrets: busy, sell: null });
  report(
    'portal',
    {
      'purchases of the creator': rows,
      'purchases that came in meanwhile': `${came.sent}, refused ${came.refused}`,
      ...Object.fromEntries(
        pages.map(({ what, p50Ms, p95Ms, firstMs }) => [
          `${what}, ms`,
          `p50 ${p50Ms.toFixed(1)}, p95 ${p95Ms.toFixed(1)}, the first ${firstMs.toFixed(1)}`,
        ]),
      ),
      [`singles posted per second without overlays, and with ${overlayCount}`]: usual.rates,
      'the same, if half of all purchases are theirs': extreme.rates,
      'processor time per purchase without / with overlays, µs': usual.processorUs,
      'the same time, if half of all purchases are theirs': extreme.processorUs,
      'purchases that overlays showed': `${usual.shown}, ${extreme.shown}`,
    },
    [
      ...pages.map(
        ({ what, p95Ms }): Target => ({
          what: `${what}, p95 ms`,
          value: p95Ms,
          limit: budgetMs,
          direction: 'at most',
        }),
      ),
      ...(phone === null ? [] : phoneTargets(phone)),
      {
        what: `recording with ${overlayCount} overlays / without`,
        value: usual.ratio,
        limit: 0.98,
        direction: 'at least',
      },
      {
        what: 'the same, if half of all purchases are theirs',
        value: extreme.ratio,
        limit: 0.98,
        direction: 'at least',
      },
      {
        what: 'time until an overlay that shows nothing has a purchase, p95 ms',
        value: percentile(usual.delaysMs, 0.95),
        limit: 2_000,
        direction: 'at most',
      },
      {
        what: 'failed requests of overlays, and purchases refused',
        value: usual.failures + extreme.failures + came.refused,
        limit: 0,
        direction: 'at most',
      },
      {
        what: 'purchases that overlays showed',
        value: Math.min(usual.shown, extreme.shown),
        limit: 1,
        direction: 'at least',
      },
    ],
  );
});

interface Measured {
  what: string;
  p50Ms: number;
  p95Ms: number;
  firstMs: number;
}

/** Reads each page as a person would, one request after another. A person may send ten requests per second. */
async function measurePages(creator: Creator): Promise<Measured[]> {
  const at = `publisher=${publisherId}`;
  const paths = {
    Home: `/home?${at}`,
    'Hold period by day': `/hold-period?${at}&groupId=${starGroup}`,
    Earnings: `/earnings?${at}`,
    'Earnings of a month': `/earnings?${at}&month=${new Date(Date.now() - 60 * 86_400_000).toISOString().slice(0, 7)}`,
    'sums by month': `/earnings/months?${at}`,
    Payouts: `/payouts?${at}`,
    Rates: `/rates?${at}`,
  };
  const all: Measured[] = [];
  for (const [what, path] of Object.entries(paths)) {
    const took: number[] = [];
    for (let n = 0; n <= times; n += 1) {
      const startedMs = performance.now();
      await creator.ask(path);
      took.push(performance.now() - startedMs);
      await sleep(120);
    }
    const [firstMs = 0, ...others] = took;
    all.push({ what, firstMs, p50Ms: median(others), p95Ms: percentile(others, 0.95) });
    logProgress(
      `${what}: p50 ${median(others).toFixed(1)}, p95 ${percentile(others, 0.95).toFixed(1)}, the first ${firstMs.toFixed(1)} ms`,
    );
  }
  return all;
}
