import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import type { Role } from '../../server/src/accounts/roles.ts';
import { type FixtureKeys, provisionFixtures } from '../../server/test/fixtures.ts';
import { type SignedInPerson, type SignInOptions, signIn } from '../../server/test/staff.ts';
import type { TestDatabase } from '../../server/test/test-database.ts';
import { type ServiceOptions, startService, type TestService } from '../../server/test/test-service.ts';
import { runAxe } from './axe.ts';
import { createDemoDatabase } from './demo-database.ts';
import { type Held, PagePool } from './page-pool.ts';
import { watchRequests } from './screens.ts';
import { dialog, furtherRows } from './text-styles.ts';

/** True if a browser is installed, for `describe.skipIf(!hasBrowser)` and `test.skipIf(!hasBrowser)`. */
export const hasBrowser = inject('browserEndpoint') !== null;

const traces = new URL('traces/', import.meta.url);
/** True if traces are recorded. Recording makes the tests take 50% longer. */
const keepsTraces = process.env.TRACES !== undefined;

export interface PageOptions extends SignInOptions {
  /** Window size. The default is the size of a small laptop. */
  size?: { width: number; height: number };
  colorScheme?: 'light' | 'dark';
  /** Has a touch screen instead of a mouse, as a phone does. */
  hasTouch?: boolean;
  timezoneId?: string;
  /** Language of the pages. `en-XA` reveals untranslatable text. */
  locale?: string;
}

export interface DashboardOptions extends ServiceOptions {
  /** Uses the demo's months of data instead of the fixtures. It fills every screen. */
  hasDemo?: boolean;
  /** Ignores errors on the pages, for tests that provoke them. */
  mayFail?: boolean;
}

export interface Dashboard {
  service(): TestService;
  /** API keys of the fixtures' publisher `aurora`. */
  keys(): FixtureKeys;
  /** Opens a path on a fresh page as a new person with a role, or without a session if the role is null. */
  open(role: Role | null, path: string, options?: PageOptions): Promise<Page>;
  /** Opens a path as a person already signed in by the test. */
  openAs(person: SignedInPerson | null, path: string, options?: PageOptions): Promise<Page>;
}

/** Pages of a test file's browser. */
interface Pages {
  /** Opens a path of the service on a fresh page. */
  openPage(path: string, options?: PageOptions & { cookies?: readonly PageCookie[] }): Promise<Page>;
}

export interface PageCookie {
  name: string;
  value: string;
  url: string;
}

/**
 * Provides a browser with fresh pages for all tests in a file. Call it after the service is started. A test fails if a page
 * throws, logs an error, or violates its content security policy.
 */
export function usePages(serviceUrl: () => string, { mayFail = false }: { mayFail?: boolean } = {}): Pages {
  let browser: Browser | undefined;
  let pool: PagePool | undefined;
  let taken: Held[] = [];
  let problems: string[] = [];

  beforeAll(async () => {
    const endpoint = inject('browserEndpoint');
    if (endpoint === null) return;
    browser = await chromium.connect(endpoint);
    pool = new PagePool(browser, serviceUrl());
  });
  afterEach(async ({ task }) => {
    const [used, found] = [taken, problems];
    taken = [];
    problems = []; // ignores errors from leaving a page
    const hasPassed = task.result?.state !== 'fail' && found.length === 0;
    if (!hasPassed) await saveEvidence(used, task.name);
    // A context isn't reused if it was recorded or its test failed.
    await Promise.all(
      used.map((held) => (hasPassed && !keepsTraces ? pool?.giveBack(held) : held.context.close())),
    );
    if (!mayFail) expect(found, 'errors of the pages').toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
  });

  return {
    async openPage(path, { cookies = [], ...pageOptions } = {}) {
      if (pool === undefined) throw new Error('no browser is installed: skip with hasBrowser');
      const { size = { width: 1_280, height: 800 }, colorScheme = 'light', locale } = pageOptions;
      const { timezoneId = 'Europe/Berlin', hasTouch = false } = pageOptions;
      const held = await pool.take({ timezoneId, locale, hasTouch });
      taken.push(held);
      const { context, page } = held;
      if (keepsTraces) await context.tracing.start({ screenshots: true, snapshots: true });
      if (cookies.length > 0) await context.addCookies(cookies);
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme });
      listen(page, problems);
      watchRequests(page);
      await page.goto(serviceUrl() + path);
      return page;
    },
  };
}

/** Starts a service with the fixtures, and a browser with its dashboard, for all tests in a file. */
export function useDashboard(dashboardOptions: DashboardOptions = {}): Dashboard {
  const { hasDemo = false, mayFail = false, ...options } = dashboardOptions;
  let service: TestService | undefined;
  let keys: FixtureKeys | undefined;
  let testDatabase: TestDatabase | undefined;

  beforeAll(async () => {
    if (!hasBrowser) return;
    testDatabase = hasDemo ? await createDemoDatabase() : undefined;
    service = await startService(testDatabase === undefined ? options : { ...options, on: testDatabase });
    if (!hasDemo) keys = await provisionFixtures(service);
  });
  afterAll(async () => {
    await service?.close();
    await testDatabase?.drop();
  });
  const { openPage } = usePages(() => started(service).url, { mayFail });

  const openAs: Dashboard['openAs'] = (person, path, pageOptions = {}) =>
    openPage(path, { ...pageOptions, cookies: person === null ? [] : [person.cookie] });
  return {
    service: () => started(service),
    keys: () => started(keys),
    openAs,
    async open(role, path, pageOptions = {}) {
      const person = role === null ? null : await signIn(started(service), role, pageOptions);
      return openAs(person, path, pageOptions);
    },
  };
}

function started<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw new Error('not started yet');
  return thing;
}

/** Saves screenshots of a failed test's pages, and its trace if one was recorded. */
async function saveEvidence(used: readonly Held[], test: string): Promise<void> {
  const name = test.replaceAll(/\W+/g, '-').slice(0, 80);
  const path = (place: string, kind: string): string => new URL(`${name}-${place}.${kind}`, traces).pathname;
  for (const [number, { context }] of used.entries()) {
    for (const [tab, page] of context.pages().entries())
      await page.screenshot({ path: path(`${number}-${tab}`, 'png'), timeout: 5_000 }).catch(() => undefined);
    if (keepsTraces) await context.tracing.stop({ path: path(String(number), 'zip') }).catch(() => undefined);
  }
}

/** Message that the browser logs for a failed response. The page itself shows the error. */
const failedResponse = /^Failed to load resource: .* status of (4\d\d|503)/;

function listen(page: Page, problems: string[]): void {
  page.on('pageerror', (error) => problems.push(`thrown: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !failedResponse.test(message.text())) problems.push(message.text());
  });
}

/** Color rules, which axe tags `cat.color`. Only their results differ between themes. */
const rulesOfColors = ['color-contrast', 'link-in-text-block'];
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Expects the page to pass axe's WCAG 2.2 AA rules. */
export async function expectAccessible(page: Page, where = 'the page'): Promise<void> {
  expect(await findViolations(page, { where })).toEqual([]);
}

interface Check {
  where: string;
  /** Checks only the color rules, for a second theme. */
  colorsOnly?: boolean;
}

/** Returns the violations as text. If a dialog is open, checks only the dialog, because the rest can't be reached. */
export async function findViolations(page: Page, check: Check): Promise<string[]> {
  const isOpen = (await page.locator(dialog).count()) > 0;
  return runCheck(page, check, isOpen).catch((error: unknown) => {
    // A dialog that was still closing when dialogs were counted is gone by now.
    if (isOpen && String(error).includes('No elements found for include'))
      return runCheck(page, check, false);
    throw error;
  });
}

async function runCheck(
  page: Page,
  { where, colorsOnly = false }: Check,
  isDialogOpen: boolean,
): Promise<string[]> {
  const isMenuOpen = (await page.locator('[role=menu]:visible').count()) > 0;
  const context = {
    ...(isDialogOpen && { include: [[dialog]] }),
    // A row's button under an open menu can't be reached, because a click there closes the menu.
    exclude: [[furtherRows], ...(isMenuOpen ? [['[data-row-opener]']] : [])],
  };
  const violations = await runAxe(page, context, {
    runOnly: colorsOnly ? { type: 'rule', values: rulesOfColors } : { type: 'tag', values: rules },
    resultTypes: ['violations'],
    selectors: false, // the HTML identifies an element
    preload: false, // none of these rules reads stylesheets
  });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ html, failureSummary }) => `${where}: ${id}: ${help}\n  ${html.slice(0, 200)}\n  ${failureSummary}`,
    ),
  );
}
