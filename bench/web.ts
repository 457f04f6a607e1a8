import { openBenchDatabase } from './lib/bench-service.ts';
import { showTimes } from './lib/processor-time.ts';
import { startReceivers } from './lib/receivers.ts';
import { report, type Target } from './lib/report.ts';
import type { Sustained } from './lib/sustained.ts';
import { settingsForMillions, withBenchService } from './lib/with-service.ts';
import { type Answered, measureAdminApi, timesOf } from './web/admin-api.ts';
import { openBrowser } from './web/browser.ts';
import { measureExport } from './web/export.ts';
import { fill, makeProgram } from './web/fill.ts';
import { type FirstView, measureFirstViews } from './web/first-views.ts';
import { makeHistory } from './web/history.ts';
import { measureInteractions } from './web/interactions.ts';
import { lightLoad } from './web/light-load.ts';
import { logProgress } from './web/progress.ts';
import { requestedRows } from './web/requested-rows.ts';
import { drawSamples } from './web/samples.ts';
import { signIn } from './web/staff.ts';
import { dashboards, measureWithDashboards } from './web/with-dashboards.ts';

/**
 * Measures the dashboard for a publisher with many stored purchases, 3 million by default (`--rows 10m`): the
 * admin API's response times, an export of a million rows, each screen's first view and response to input in
 * a browser, and the effect of twenty open dashboards on recording. Purchases are recorded during all of
 * these measurements except the last.
 */
const rows = requestedRows(process.argv, 3_000_000);
process.env.WEBHOOK_ALLOW_PRIVATE_TARGETS = 'true';

const receivers = await startReceivers();
await withBenchService({ settings: settingsForMillions, maxMinutes: 45 }, async (service) => {
  const database = openBenchDatabase(service);
  logProgress(`storing ${rows} purchases`);
  await makeProgram(service, database);
  await fill(service, database, rows);
  await makeHistory(service, database, { receivers, deliveries: Math.ceil(rows / 15) });
  await service.client.query('vacuum analyze');
  logProgress('stored');

  // People sign in one after another, because hashing a password occupies a processor for a while.
  const owner = await signIn(service.url, database, 'owner-1');
  const staff = [owner, await signIn(service.url, database, 'owner-2')];
  const load = lightLoad(service);
  const answered = await measureAdminApi(owner, await drawSamples(service.client));
  service.resetPeakMemory();
  const exported = await measureExport(owner, service.pids.service, rows);
  logProgress(`${exported.rows} rows exported in ${exported.seconds.toFixed(1)} s`);
  const browser = await openBrowser();
  if (browser === null)
    logProgress('Chromium was not found (CHROMIUM_PATH), so the screens are not measured');
  const views = browser === null ? [] : await measureFirstViews(browser, owner);
  const interactions = browser === null ? null : await measureInteractions(browser, owner);
  await browser?.close();
  const came = await load.stop();
  const recording = await measureWithDashboards(service, staff);
  await database.close();
  receivers.stop();

  const failures = [...recording.alone, ...recording.watched].reduce((sum, each) => sum + each.failures, 0);
  report(
    'web',
    {
      'rows stored': rows,
      'purchases that came in meanwhile': `${came.sent}, refused ${came.refused}`,
      ...Object.fromEntries(answered.map((each) => [`${each.what}, ms`, timesOf(each)])),
      'rows of the export, per second': `${exported.rows}, ${Math.round(exported.rows / exported.seconds)}`,
      'memory of the server during the export, peak MiB': exported.peakMiB.toFixed(0),
      ...(interactions !== null && {
        interactions: interactions.count,
        'the longest interaction': `${interactions.longestMs} ms, to ${interactions.longestIn}`,
      }),
      'singles posted per second, no dashboard': shown(recording.alone),
      [`singles posted per second, ${dashboards} dashboards`]: shown(recording.watched),
      'requests of the dashboards per second': recording.requestsPerSecond.toFixed(1),
      'processor, no dashboard': showTimes(recording.alone),
      [`processor, ${dashboards} dashboards`]: showTimes(recording.watched),
      'peak memory of the server, MiB': service.peakMemoryMiB() ?? 'unknown',
    },
    [
      ...answered.map(toTarget),
      {
        what: 'export: rows and sums that differ from the rollup',
        value: Number(exported.difference),
        limit: 0,
        direction: 'at most',
      },
      { what: 'export: growth of memory in MiB', value: exported.growthMiB, limit: 30, direction: 'at most' },
      ...views.flatMap(ofView),
      ...(interactions === null
        ? []
        : ([
            {
              what: 'interaction to next paint, p75 ms',
              value: interactions.p75Ms,
              limit: 100,
              direction: 'at most',
            },
            {
              what: 'layout shift while working',
              value: interactions.shift,
              limit: 0.05,
              direction: 'at most',
            },
          ] satisfies Target[])),
      {
        what: `recording with ${dashboards} dashboards / without`,
        value: recording.ratio,
        limit: 0.95,
        direction: 'at least',
      },
      { what: 'failed requests', value: failures + came.refused, limit: 0, direction: 'at most' },
    ],
  );
});

function toTarget({ what, p95Ms, budgetMs }: Answered): Target {
  return { what: `${what}, p95 ms`, value: p95Ms, limit: budgetMs, direction: 'at most' };
}

function ofView({ path, lcpMs, slowLcpMs, shift }: FirstView): Target[] {
  return [
    { what: `${path}: largest paint, ms`, value: lcpMs, limit: 1_500, direction: 'at most' },
    { what: `${path}: largest paint on slow 4G, ms`, value: slowLcpMs, limit: 2_500, direction: 'at most' },
    { what: `${path}: layout shift`, value: shift, limit: 0.05, direction: 'at most' },
  ];
}

function shown(all: readonly Sustained[]): string {
  return all.map(({ rowsPerSecond }) => Math.round(rowsPerSecond)).join(', ');
}
