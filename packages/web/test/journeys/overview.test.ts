import { expect, test } from 'vitest';
import { addEndpoint } from '../../../server/test/endpoints.ts';
import { purchase } from '../../../server/test/fixtures.ts';
import { settleAll } from '../../../server/test/money.ts';
import { signIn } from '../../../server/test/staff.ts';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';
import { filterField } from '../filters.ts';
import { layoutShift, recordShifts, shiftsOf } from '../first-view.ts';
import { isSettled } from '../screens.ts';

const { open, openAs, service, keys } = useDashboard();
const record = (sent: unknown) =>
  service().call('POST', '/v1/attributions/transactions', { key: keys().backend, json: sent });
const settle = () => settleAll(service().testDatabase.database.db);

test.skipIf(!hasBrowser)('shows the first purchase live', async () => {
  const page = await open('manager', '/p/aurora/overview?group=main');
  await page.getByRole('heading', { name: 'No purchases yet' }).waitFor();
  await page.getByText('-H "X-SHARED-SECRET: $KEY"').waitFor();
  const live = page.getByRole('region', { name: 'Live' });
  await live.getByText('No purchases yet.').waitFor();
  await expectAccessible(page);
  await record(purchase({ transactionId: '662E41', transactionDate: new Date().toISOString() }));
  const row = live.getByRole('row').filter({ hasText: '662E41' });
  await row.getByText('Posting…').waitFor();
  await settle();
  await row.getByText('2.00 USD').waitFor();
  await live.getByRole('button', { name: 'Pause' }).click();
  await live.getByRole('button', { name: 'Resume' }).waitFor();
  await row.getByRole('link', { name: '662E41' }).click();
  await page.getByRole('dialog', { name: 'Purchase' }).getByText('4. Group schedule').waitFor();
  expect(new URL(page.url()).search, 'ids in URLs stay strings').toContain('open=662E41');
  await page.reload();
  await page.getByRole('dialog', { name: 'Purchase' }).getByText('Battle pass').waitFor();
});

test.skipIf(!hasBrowser)(
  'shows a single notice while the service fails, along with the parts that still load',
  async () => {
    const page = await open('finance', '/p/aurora/audit');
    let failing = /./;
    await page.route(
      /\/admin\/v1\/publishers\/aurora\/(overview|attention|top-creators|tail|rollups)/,
      (route) =>
        failing.test(route.request().url())
          ? route.fulfill({
              status: 503,
              json: { code: 'Unavailable', message: 'The database does not answer.' },
            })
          : route.continue(),
    );
    await page.goto(`${service().url}/p/aurora/overview`);
    const alerts = page.getByRole('main').getByRole('alert');
    await alerts.getByText('The database does not answer.').waitFor();
    await alerts.getByText('Couldn’t load this page').waitFor();
    await page.waitForTimeout(2_500); // the tail polls during this time
    expect(await alerts.count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(1);
    expect(await page.getByRole('region', { name: 'Top creators' }).count(), 'parts without data').toBe(0);
    failing = /top-creators/;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('region', { name: 'Needs attention' }).getByText('1 creator is waiting').waitFor();
    await page
      .getByRole('region', { name: 'Live' })
      .getByText('Not available')
      .waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Top creators' }).getByText('Not available').waitFor();
    await alerts.getByText('Couldn’t load parts of this page').waitFor();
    expect(await alerts.count()).toBe(1);
    failing = /nothing/;
    await page.getByRole('button', { name: 'Try again' }).click();
    await alerts.waitFor({ state: 'detached' });
    await page
      .getByRole('region', { name: 'Top creators' })
      .getByText('Not available')
      .waitFor({ state: 'detached' });
  },
);

for (const colorScheme of ['light', 'dark'] as const)
  test.skipIf(!hasBrowser)(
    `shows accessible totals, chart, creators and attention list: ${colorScheme}`,
    async () => {
      const id = `of-${colorScheme}`;
      await record([
        purchase({
          transactionId: id,
          subtotal: 5_000,
          transactionDate: new Date().toISOString(),
          code: 'BOB',
        }),
      ]);
      await settle();
      const page = await open('finance', '/p/aurora/overview', { colorScheme });
      await page.getByRole('region', { name: 'Totals in USD' }).getByText('Sales').first().waitFor();
      await page.getByRole('region', { name: 'Needs attention' }).getByText('1 creator is waiting').waitFor();
      await page.getByRole('table', { name: 'Top creators' }).getByText('Bob').waitFor();
      await page.getByRole('table', { name: 'Latest purchases' }).getByText(id).waitFor();
      const chart = page.getByRole('slider', { name: 'Sales and earned in USD' });
      await chart.focus();
      expect(await chart.getAttribute('aria-valuetext')).toContain('Sales ');
      expect(await page.evaluate("getComputedStyle(document.querySelector('polyline')).stroke")).toMatch(
        /^rgb/,
      );
      const today = await chart.getAttribute('aria-valuetext');
      await page.keyboard.press('ArrowLeft');
      expect(await chart.getAttribute('aria-valuetext'), 'the previous day').not.toBe(today);
      await page.getByText('Sales: 0.00 USD', { exact: true }).waitFor();
      await expectAccessible(page);
      await page
        .getByRole('radiogroup', { name: /^View of/ })
        .locator('label', { hasText: 'Table' })
        .click();
      await page.getByRole('table', { name: 'Sales and earned in USD' }).waitFor();
      await expectAccessible(page);
      // The days fill the card, and fade where there are more.
      const area = page.getByRole('region', { name: 'Sales and earned in USD' });
      const card = await page.getByRole('region', { name: 'Totals in USD' }).boundingBox();
      const days28 = await area.boundingBox();
      const bottomOf = (box: typeof card): number => (box?.y ?? 0) + (box?.height ?? 0);
      expect(bottomOf(card) - bottomOf(days28), "the card's padding").toBeLessThan(24);
      expect(await area.getAttribute('data-more-below')).not.toBeNull();
      await area.press('End');
      await expect.poll(() => area.getAttribute('data-more-below')).toBeNull();
      await page.getByRole('radiogroup', { name: 'Days' }).locator('label', { hasText: '7 days' }).click();
      await page.waitForURL(/days=7/);
      const topOf = async (name: string) =>
        (await page.getByRole('region', { name }).boundingBox())?.y ?? Number.NaN;
      const [attention, sums] = ['Needs attention', 'Totals in USD'];
      expect(await topOf(attention), 'beside the totals').toBe(await topOf(sums));
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await topOf(attention), 'first on a phone').toBeLessThan(await topOf(sums));
      expect(await topOf(sums)).toBeLessThan(await topOf('Top creators'));
      const days = page.getByRole('combobox', { name: 'Days' });
      const [period, compared] = await Promise.all(
        [days, page.getByLabel('Compare with')].map((each) => each.boundingBox()),
      );
      expect(period?.y, 'on one line').toBe(compared?.y);
      const about = page.getByText(/^[\w ]+ – today, UTC, compared through yesterday$/);
      expect((await about.locator('..').boundingBox())?.height, 'one line').toBeLessThan(30);
      await days.selectOption('28 days');
      await page.waitForURL((url) => !url.searchParams.has('days'));
      await expectAccessible(page);
    },
  );

test.skipIf(!hasBrowser)('finds a purchase by its id, and explains a rejected code', async () => {
  const page = await open('support', '/p/aurora/overview');
  await page.getByRole('button', { name: /^Search/ }).click();
  await page.getByPlaceholder('Purchase, creator, code').fill('PENDING');
  const beside = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
  expect(await beside(), 'the gutter is as dark as the overlay').toContain('0.65');
  await page.getByText(/rejected in Aurora Creators/).click();
  const check = page.getByRole('dialog', { name: 'Check code' });
  await check.getByText('PENDING is rejected in Aurora Creators').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(beside).not.toContain('0.65');
  await page.getByRole('button', { name: /^Search/ }).click();
  await page.getByPlaceholder('Purchase, creator, code').fill('662E41');
  await page.getByText('Purchase · ALICE').waitFor();
  await page.keyboard.press('Enter'); // opens the first result, which arrived after typing
  await page.getByRole('dialog', { name: 'Purchase' }).waitFor();
});

test.skipIf(!hasBrowser)(
  'opens a failing endpoint from the overview, and an endpoint and an event by their ids',
  async () => {
    const { db } = service().testDatabase.database;
    const { endpointId } = await addEndpoint(db, 'aurora', 'http://127.0.0.1:1/hook', [
      'Attribution/TransactionRecorded',
    ]);
    await record(purchase({ transactionId: 'told' }));
    const { event_id: eventId } = await db
      .selectFrom('webhook_event')
      .select('event_id')
      .executeTakeFirstOrThrow();
    await db.updateTable('webhook_endpoint').set({ failing_since: new Date() }).execute();
    const page = await open('owner', '/p/aurora/overview');
    await page.getByRole('link', { name: 'A webhook endpoint is failing' }).click();
    await page.getByRole('heading', { name: '127.0.0.1:1', level: 1 }).waitFor();
    await page.getByText('http://127.0.0.1:1/hook').first().waitFor();

    const search = async (id: string): Promise<void> => {
      await page.goto(`${service().url}/p/aurora/overview`);
      await page.getByRole('button', { name: /^Search/ }).click();
      await page.getByPlaceholder('Purchase, creator, code').fill(id);
    };
    await search(eventId);
    await page.getByText(`Webhook event ${eventId}`).click();
    const event = page.getByRole('dialog', { name: 'Webhook event' });
    await event.getByRole('link', { name: 'http://127.0.0.1:1/hook' }).waitFor();
    await expectAccessible(page);
    await search(endpointId);
    await page.getByText('Webhook endpoint · failing').click();
    await page.getByRole('heading', { name: '127.0.0.1:1', level: 1 }).waitFor();
    const support = await open('support', '/p/aurora/overview');
    await support.getByText('A webhook endpoint is failing').waitFor();
    expect(await support.getByRole('link', { name: 'A webhook endpoint is failing' }).count()).toBe(0); // the role can't open it
  },
);

test.skipIf(!hasBrowser)('lists in the bell what Overview lists, for the keyboard too', async () => {
  const page = await open('finance', '/p/aurora/overview');
  const listed = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem');
  await listed.filter({ hasText: '1 creator is waiting' }).waitFor();
  const links = await page
    .getByRole('region', { name: 'Needs attention' })
    .getByRole('link')
    .allTextContents();
  const bell = page.getByRole('button', { name: /needs? attention$/ });
  expect(await bell.getAttribute('aria-label')).toMatch(new RegExp(`^${await listed.count()} item`));
  await page.goto(`${service().url}/p/aurora/ledger`);
  await bell.focus();
  await page.keyboard.press('Enter');
  const items = page.getByRole('menuitem');
  await items.first().waitFor();
  expect(await items.locator('p:first-child').allTextContents()).toEqual(expect.arrayContaining(links));
  await expectAccessible(page);
  await items.filter({ hasText: '1 creator is waiting' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/creators\?.*tab=pending/);
  await items.first().waitFor({ state: 'detached' });

  await service().provision('{ publisher: { id: idle, name: Idle } }');
  const idle = await openAs(await signIn(service(), 'owner', { publisherId: 'idle' }), '/p/idle/ledger');
  await idle.getByRole('button', { name: 'Nothing needs your attention.' }).click();
  await idle.getByRole('menuitem', { name: 'Nothing needs your attention.' }).waitFor();
});

test.skipIf(!hasBrowser)(
  'shows the currency with the most purchases first, or the one that the reader chose last',
  async () => {
    const today = new Date().toISOString();
    await record([
      purchase({ transactionId: 'euro', currency: 'EUR', subtotal: 123_400, transactionDate: today }),
      purchase({ transactionId: 'yen', currency: 'JPY', subtotal: 900, transactionDate: today }),
    ]);
    await settle();
    const page = await open('finance', '/p/aurora/overview', { size: { width: 1_440, height: 900 } });
    const card = page.getByRole('region', { name: /^Totals in/ });
    const others = page.getByRole('region', { name: 'Other currencies' });
    await page.getByRole('region', { name: 'Totals in USD' }).waitFor();
    expect(await card.count()).toBe(1);
    await page.getByRole('slider', { name: 'Sales and earned in USD' }).waitFor();
    const plot = await card.getByRole('figure').boundingBox();
    expect((plot?.y ?? 0) + (plot?.height ?? 900), 'the chart is in the first view').toBeLessThan(900);
    await expectAccessible(page);
    const euros = others.getByRole('button', { name: /^EUR/ });
    expect(await euros.textContent()).toMatch(/Sales\s1,234.00 EUR/);
    await euros.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/currency=EUR/);
    await page.getByRole('slider', { name: 'Sales and earned in EUR' }).waitFor();
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe('Totals in EUR');
    await others.getByRole('button', { name: /^USD/ }).waitFor();
    await page.goto(`${service().url}/p/aurora/overview`);
    await page.getByRole('region', { name: 'Totals in EUR' }).waitFor();
    await page.goto(`${service().url}/p/aurora/overview?currency=XAU`);
    await page.getByRole('region', { name: 'Totals in EUR' }).waitFor();
    await page.goBack();
    await page.goBack();
    await page.getByRole('region', { name: 'Totals in EUR' }).waitFor();
  },
);

const dayMs = 86_400_000;
const utcDay = (daysAgo: number): string => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10);

test.skipIf(!hasBrowser)('shows a chosen range of days, and compares it as chosen', async () => {
  await record([
    purchase({
      transactionId: 'gbp',
      currency: 'GBP',
      subtotal: 3_000,
      transactionDate: `${utcDay(3)}T10:00:00Z`,
    }),
    purchase({
      transactionId: 'gbp-2',
      currency: 'GBP',
      subtotal: 2_000,
      transactionDate: `${utcDay(5)}T10:00:00Z`,
    }),
    purchase({
      transactionId: 'gbp-3',
      currency: 'GBP',
      subtotal: 1_000,
      transactionDate: `${utcDay(368)}T10:00:00Z`,
    }),
  ]);
  await settle();
  const page = await open('finance', '/p/aurora/overview?currency=GBP&from=2026-02-30&until=never');
  await page.getByText(/vs. the previous 28 days, excluding today/).waitFor();
  await page.getByRole('radiogroup', { name: 'Days' }).locator('label', { hasText: 'Custom…' }).click();
  const form = page.getByRole('form', { name: 'Custom period' });
  const fill = async (first: string, last: string): Promise<void> => {
    await form.getByLabel('First day').fill(first);
    await form.getByLabel('Last day').fill(last);
    await form.getByRole('button', { name: 'Show' }).click();
  };
  await fill(utcDay(3), utcDay(4));
  await form.getByText('The last day is before the first day.').waitFor();
  await fill(utcDay(3), utcDay(-1));
  await form.getByText('The last day is in the future.').waitFor();
  await fill(utcDay(400), utcDay(3));
  await form.getByText('Choose at most 366 days.').waitFor();
  await fill('', utcDay(3));
  await form.getByText('Choose a day.').waitFor();
  await expectAccessible(page);
  await fill(utcDay(4), utcDay(3));
  await page.waitForURL(new RegExp(`from=${utcDay(4)}&until=${utcDay(2)}`));
  const card = page.getByRole('region', { name: 'Totals in GBP' });
  await card.getByText('50%\u00a0more vs. 20.00\u00a0GBP').waitFor();
  await page.getByText(/vs. the previous 2 days/).waitFor();
  const chart = card.getByRole('slider');
  await chart.press('End');
  await expect
    .poll(() => chart.getAttribute('aria-valuetext'))
    .toMatch(/Sales 30\.00\sGBP.*Previous sales 20\.00\sGBP/);
  await page.getByLabel('Compare with').selectOption('year');
  await card.getByText('200%\u00a0more vs. 10.00\u00a0GBP').waitFor();
  await page.reload();
  await card.getByText('200%\u00a0more vs. 10.00\u00a0GBP').waitFor();
  expect(await form.getByLabel('Last day').inputValue()).toBe(utcDay(3));
  await page.getByLabel('Compare with').selectOption('none');
  await card.getByText(/vs\. 10\.00/).waitFor({ state: 'detached' });
  await page.getByRole('radiogroup', { name: 'Days' }).locator('label', { hasText: '7 days' }).click();
  await page.waitForURL((url) => url.search.includes('days=7') && !url.search.includes('from='));
  await form.waitFor({ state: 'detached' });
  await page.goto(`${service().url}/p/aurora/overview?from=${utcDay(300)}&until=${utcDay(0)}`);
  await page.getByRole('region', { name: 'Top creators' }).getByText('last 92 days of the period').waitFor();
  await page.goto(
    `${service().url}/p/aurora/overview?currency=GBP&from=${utcDay(3)}&until=${utcDay(-1)}&compare=previous`,
  );
  await card.getByText('50%\u00a0more', { exact: true }).first().waitFor();
  await card.getByText('vs. previous period').first().waitFor();
  await page.getByText(/ by UTC day, through yesterday/).waitFor();
  expect(await page.getByText('excluding today').count(), 'only the line about the period').toBe(1);
  await page.goto(
    `${service().url}/p/aurora/overview?currency=USD&from=${utcDay(3)}&until=${utcDay(-1)}&compare=previous`,
  );
  const others = page.getByRole('region', { name: 'Other currencies' });
  await others.getByRole('button', { name: /^GBP/ }).getByText('50%\u00a0more', { exact: true }).waitFor();
});

test.skipIf(!hasBrowser)('opens the purchases of a day from the chart, by mouse, key or link', async () => {
  const of = (id: string, transactionDate: string, currency = 'SEK') =>
    purchase({ transactionId: id, currency, transactionDate });
  await record([
    of('sek-before', `${utcDay(3)}T23:59:59.999Z`),
    of('sek-first', `${utcDay(2)}T00:00:00Z`),
    of('sek-last', `${utcDay(2)}T23:59:59.999Z`),
    of('nok', `${utcDay(2)}T12:00:00Z`, 'NOK'),
    of('sek-after', `${utcDay(1)}T00:00:00Z`),
  ]);
  await settle();
  const page = await open('finance', '/p/aurora/overview?group=main&currency=SEK&days=7');
  // Today isn't over, so the chart ends with yesterday.
  const chart = page.getByRole('slider', { name: 'Sales and earned in SEK' });
  const expectPurchases = async (): Promise<void> => {
    await page.waitForURL(/\/transactions\?/);
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({
      group: 'main',
      status: 'normal,refund,fraud,chargeback',
      currency: 'SEK',
      from: `${utcDay(2)}T00:00:00Z`,
      until: `${utcDay(1)}T00:00:00Z`,
    });
    await page.getByRole('table', { name: 'Transactions' }).getByText('sek-last').waitFor();
    await page.getByText(/^2 transactions\./).waitFor();
    for (const other of ['sek-before', 'sek-after', 'nok'])
      expect(await page.getByText(other, { exact: true }).count(), other).toBe(0);
  };
  await chart.focus();
  await page.keyboard.press('ArrowLeft');
  await page.getByText('Click or press Enter for the purchases').waitFor();
  await page.keyboard.press('Enter');
  await expectPurchases();
  expect(await filterField(page, 'Currency').inputValue()).toBe('SEK');
  await expectAccessible(page);
  await page.goBack();
  const box = await chart.boundingBox();
  const at = { x: ((box?.width ?? 0) * 4) / 5, y: 40 };
  await chart.click({ position: at });
  await expectPurchases();
  await page.goBack();
  await page
    .getByRole('radiogroup', { name: /^View of/ })
    .locator('label', { hasText: 'Table' })
    .click();
  await page.getByRole('table', { name: 'Sales and earned in SEK' }).getByRole('link').nth(4).click();
  await expectPurchases();
  await page.getByLabel('Last day', { exact: true }).fill(utcDay(-19));
  await page.waitForURL((url) => !url.search.includes('currency'));
  expect(await filterField(page, 'Currency').count()).toBe(0);
  await page.getByRole('button', { name: 'Add filter' }).click();
  const currency = page.getByRole('menuitem', { name: 'Currency Choose up to 7 days first' });
  expect(await currency.isDisabled()).toBe(true);
});

test.skipIf(!hasBrowser)('shows which creators gained places, and who is new this week', async () => {
  const sold = (id: string, code: string, subtotal: number, daysAgo: number) =>
    purchase({
      transactionId: id,
      code,
      subtotal,
      currency: 'PLN',
      transactionDate: `${utcDay(daysAgo)}T00:00:00Z`,
    });
  await record([
    sold('pln-1', 'ALICE', 2_000, 8),
    sold('pln-2', 'BOB', 1_000, 8),
    sold('pln-3', 'ALICE', 1_000, 1),
    sold('pln-4', 'BOB', 9_000, 1),
  ]);
  await service().call('POST', '/v1/attributions/transactions?groupId=moba', {
    key: keys().backend,
    json: sold('pln-5', 'DORA', 3_000, 1),
  });
  await settle();
  const page = await open('finance', '/p/aurora/overview?currency=PLN&days=7', {
    size: { width: 1_440, height: 900 },
  });
  const rising = page.getByRole('region', { name: 'Rising creators' });
  const rows = rising.getByRole('row');
  await rising.getByText(/ vs\. /).waitFor();
  await rows.filter({ hasText: 'Dora' }).getByText('New this week').waitFor();
  await rows.filter({ hasText: 'Bob' }).getByText('1 (was 2)').waitFor();
  expect(await rows.count(), 'the header, Dora and Bob').toBe(3);
  expect(await rising.getByText('New this week').count()).toBe(1);
  await expectAccessible(page);
  await page.route(/rising-creators/, (route) =>
    route.fulfill({ status: 503, json: { code: 'Unavailable', message: 'The database does not answer.' } }),
  );
  await page.reload();
  await rising.getByText('Not available').waitFor();
  await page.getByRole('region', { name: 'Top creators' }).getByRole('link', { name: 'Bob' }).waitFor();
});

test.skipIf(!hasBrowser)(
  'sums up what happened since the last visit, unless it was recent or long ago',
  async () => {
    await record(
      purchase({
        transactionId: 'since',
        currency: 'CZK',
        subtotal: 5_000,
        transactionDate: `${utcDay(0)}T00:00:00Z`,
      }),
    );
    await settle();
    const page = await open('finance', '/p/aurora/overview?currency=CZK');
    const line = page.getByText(/^Since your last visit/);
    const visitAgain = async (hoursAgo: number): Promise<void> => {
      const seenMs = Date.now() - hoursAgo * 3_600_000;
      const visits = JSON.stringify({ aurora: { seenMs, beforeMs: null } });
      await page.evaluate(`localStorage.setItem('attribution-visits', ${JSON.stringify(visits)})`);
      await page.reload();
      await page.getByRole('region', { name: 'Totals in CZK' }).waitFor();
    };
    await page.getByRole('region', { name: 'Totals in CZK' }).waitFor();
    expect(await line.count(), 'the first visit').toBe(0);
    await recordShifts(page);
    await visitAgain(48);
    await line.waitFor();
    await isSettled(page);
    expect(layoutShift(await shiftsOf(page))).toBeLessThanOrEqual(0.05);
    const text = (await line.textContent()) ?? '';
    expect(text).toMatch(/\d+ purchases?, 10\.00 CZK.* earned/);
    await page.reload();
    await line.waitFor(); // still the same visit
    await expectAccessible(page);
    for (const hours of [11, 93 * 24]) {
      await visitAgain(hours);
      expect(await line.count(), `${hours} hours ago`).toBe(0);
    }
    await page.evaluate("localStorage.setItem('attribution-visits', '[null, 1]')");
    await page.reload();
    await page.getByRole('region', { name: 'Totals in CZK' }).waitFor();
  },
);
