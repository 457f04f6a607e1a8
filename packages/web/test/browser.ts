import { readFileSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import type { Role } from '../../server/src/accounts/roles.ts';
import { buildApp } from '../../server/src/app.ts';
import { playMonths } from '../../server/src/cli/service/demo/play-months.ts';
import { applyProgram } from '../../server/test/apply-program.ts';
import { composeTestService } from '../../server/test/compose-test-service.ts';
import { type FixtureKeys, provisionFixtures } from '../../server/test/fixtures.ts';
import { type SignedInPerson, type SignInOptions, signIn } from '../../server/test/staff.ts';
import { createTestDatabase, type TestDatabase } from '../../server/test/test-database.ts';
import { type ServiceOptions, startService, type TestService } from '../../server/test/test-service.ts';
import { runAxe } from './axe.ts';
import { type Held, PagePool } from './page-pool.ts';
import { watchRequests } from './screens.ts';

/** Whether there is a browser: `describe.skipIf(!hasBrowser)`, `test.skipIf(!hasBrowser)`. */
export const hasBrowser = inject('browserEndpoint') !== null;

const traces = new URL('traces/', import.meta.url);
/** To record what a page does takes half as long again. */
const keepsTraces = process.env.TRACES !== undefined;
const demoProgram = new URL('../../../examples/demo-program.yaml', import.meta.url);

export interface PageOptions extends SignInOptions {
  /** Wide and high as a small laptop when absent. */
  size?: { width: number; height: number };
  colorScheme?: 'light' | 'dark';
  timezoneId?: string;
  /** How the pages' texts are written; `en-XA` shows what is in no catalog. */
  locale?: string;
}

export interface DashboardOptions extends ServiceOptions {
  /** The months of the demo instead of the fixtures: some seconds, and something on every screen. */
  hasDemo?: boolean;
  /** What the pages complain of fails nothing: they are to show trouble. */
  mayFail?: boolean;
}

export interface Dashboard {
  service(): TestService;
  /** The publisher `aurora` of the fixtures, with its API keys. */
  keys(): FixtureKeys;
  /** Opens a path as somebody of a role, on a page that knows nothing of another one; null for nobody. */
  open(role: Role | null, path: string, options?: PageOptions): Promise<Page>;
  /** The same, of somebody whom the test has signed in. */
  openAs(person: SignedInPerson | null, path: string, options?: PageOptions): Promise<Page>;
}

/**
 * A service with the fixtures and a browser that shows its dashboard, for all tests of a file. After each test nothing may
 * have been refused by the policy of a page, nothing thrown, and no error written to its console.
 */
export function useDashboard(asked: DashboardOptions = {}): Dashboard {
  const { hasDemo = false, mayFail = false, ...options } = asked;
  let service: TestService | undefined;
  let keys: FixtureKeys | undefined;
  let testDatabase: TestDatabase | undefined;
  let browser: Browser | undefined;
  let pool: PagePool | undefined;
  let taken: Held[] = [];
  let problems: string[] = [];

  beforeAll(async () => {
    const endpoint = inject('browserEndpoint');
    if (endpoint === null) return;
    testDatabase = hasDemo ? await demoDatabase() : undefined;
    service = await startService(testDatabase === undefined ? options : { ...options, on: testDatabase });
    if (!hasDemo) keys = await provisionFixtures(service);
    browser = await chromium.connect(endpoint);
    pool = new PagePool(browser, service.url);
  });
  afterEach(async ({ task }) => {
    const [used, found] = [taken, problems];
    taken = [];
    problems = []; // what a page complains of while it is left is no test's
    const isWell = task.result?.state !== 'fail' && found.length === 0;
    if (!isWell) await keep(used, task.name);
    // What was seen is of use to nobody once it has been recorded, or gone wrong.
    await Promise.all(
      used.map((held) => (isWell && !keepsTraces ? pool?.giveBack(held) : held.context.close())),
    );
    if (!mayFail) expect(found, 'what the pages complained of').toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
    await testDatabase?.drop();
  });

  const openAs: Dashboard['openAs'] = async (person, path, pageOptions = {}) => {
    if (pool === undefined) throw new Error('no browser is installed: skip by hasBrowser');
    const { size = { width: 1_280, height: 800 }, colorScheme = 'light', locale } = pageOptions;
    const held = await pool.take({ timezoneId: pageOptions.timezoneId ?? 'Europe/Berlin', locale });
    taken.push(held);
    const { context, page } = held;
    if (keepsTraces) await context.tracing.start({ screenshots: true, snapshots: true });
    if (person !== null) await context.addCookies([person.cookie]);
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    listen(page, problems);
    watchRequests(page);
    await page.goto(there(service).url + path);
    return page;
  };
  return {
    service: () => there(service),
    keys: () => there(keys),
    openAs,
    async open(role, path, pageOptions = {}) {
      const person = role === null ? null : await signIn(there(service), role, pageOptions);
      return openAs(person, path, pageOptions);
    },
  };
}

async function demoDatabase(): Promise<TestDatabase> {
  const made = await createTestDatabase();
  const composed = composeTestService(made.database);
  const app = await buildApp(composed);
  const { keys } = await applyProgram(
    made.database.db,
    readFileSync(demoProgram, 'utf8'),
    'demo-program.yaml',
  );
  await playMonths(app, composed, keys[0]?.key ?? '');
  await app.close();
  return made;
}

function there<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw new Error('not started yet');
  return thing;
}

/** What is kept of a test that fails: pictures of its pages, and what led there, where that is recorded. */
async function keep(used: readonly Held[], test: string): Promise<void> {
  const name = test.replaceAll(/\W+/g, '-').slice(0, 80);
  const path = (place: string, kind: string): string => new URL(`${name}-${place}.${kind}`, traces).pathname;
  for (const [number, { context }] of used.entries()) {
    for (const [tab, page] of context.pages().entries())
      await page.screenshot({ path: path(`${number}-${tab}`, 'png'), timeout: 5_000 }).catch(() => undefined);
    if (keepsTraces) await context.tracing.stop({ path: path(String(number), 'zip') }).catch(() => undefined);
  }
}

/** A status that a page asked for and shows; the browser writes it to the console all the same. */
const shownStatus = /^Failed to load resource: .* status of (4\d\d|503)/;

function listen(page: Page, problems: string[]): void {
  page.on('pageerror', (error) => problems.push(`thrown: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !shownStatus.test(message.text())) problems.push(message.text());
  });
}

/** Those that read colors (`cat.color`, of these tags): nothing else of a page differs between themes. */
const rulesOfColors = ['color-contrast', 'link-in-text-block'];
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Nothing that axe knows of WCAG 2.2 AA is broken on the page as it stands. */
export async function expectAccessible(page: Page, where = 'the page'): Promise<void> {
  expect(await whatAxeFinds(page, { where })).toEqual([]);
}

interface Looking {
  where: string;
  /** What another theme changes, where the rest was looked at. */
  isColorsAlone?: boolean;
}

/** What is broken, in words. Where a dialog is open it is looked at alone: nobody reaches the rest. */
export async function whatAxeFinds(page: Page, looking: Looking): Promise<string[]> {
  const isOpen = (await page.locator(dialog).count()) > 0;
  return look(page, looking, isOpen).catch((error: unknown) => {
    // One that was about to go when it was counted has gone.
    if (isOpen && String(error).includes('No elements found for include')) return look(page, looking, false);
    throw error;
  });
}

async function look(
  page: Page,
  { where, isColorsAlone = false }: Looking,
  isOfDialog: boolean,
): Promise<string[]> {
  const context = {
    ...(isOfDialog && { include: [[dialog]] }),
    // Rows are made alike, and are what takes long.
    exclude: [['tbody tr:nth-child(n+13)']],
  };
  const violations = await runAxe(page, context, {
    runOnly: isColorsAlone ? { type: 'rule', values: rulesOfColors } : { type: 'tag', values: rules },
    resultTypes: ['violations'],
    selectors: false, // what is wrong is told by its HTML
  });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ html, failureSummary }) => `${where}: ${id}: ${help}\n  ${html.slice(0, 200)}\n  ${failureSummary}`,
    ),
  );
}

const dialog = '[role=dialog][aria-modal=true]';
