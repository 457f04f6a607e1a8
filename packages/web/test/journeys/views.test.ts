import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { asRole } from '../../../server/test/admin.ts';
import { purchase } from '../../../server/test/fixtures.ts';
import { settleAll } from '../../../server/test/money.ts';
import { type SignedInPerson, signIn } from '../../../server/test/staff.ts';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';
import { addFilter } from '../filters.ts';

const { open, openAs, service, keys } = useDashboard();
let finance: SignedInPerson;
beforeAll(async () => {
  if (!hasBrowser) return;
  finance = await signIn(service(), 'finance');
  for (const [transactionId, status] of [
    ['bought', 'Normal'],
    ['tried', 'Test'],
  ])
    await service().call('POST', '/v1/attributions/transactions', {
      key: keys().backend,
      json: purchase({ transactionId, status }),
    });
  await settleAll(service().testDatabase.database.db);
});

const menu = (page: Page) => page.getByRole('button', { name: /^Views|^Tests/ });
const choose = async (page: Page, name: string | RegExp) => {
  await menu(page).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
};
const heads = async (page: Page) =>
  (await page.getByRole('columnheader').allInnerTexts()).filter((text) => text !== '');
const rows = (page: Page) => page.getByRole('button', { name: /^Open (bought|tried)/ });
const queryOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

describe.skipIf(!hasBrowser)('saved views', () => {
  test('a person saves, shares and opens a view, and a colleague opens its link', async () => {
    const page = await openAs(finance, '/p/aurora/transactions');
    await (await addFilter(page, 'Status')).selectOption('Test');
    await rows(page).filter({ hasNotText: 'x' }).first().waitFor();
    await choose(page, 'Save as new view…');
    const dialog = page.getByRole('dialog', { name: 'Save view' });
    await dialog.getByRole('button', { name: 'Save view' }).click();
    await dialog.getByText('Name is required.').waitFor();
    await dialog.getByLabel('Name').fill('Tests');
    await dialog.getByText('Status: Test').waitFor();
    await dialog.getByLabel('Share with the team').check();
    await dialog.getByLabel('Open the list with this view').check();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('button', { name: 'Tests', exact: true }).waitFor();
    const { view = '' } = queryOf(page);
    expect(queryOf(page)).toEqual({ status: 'test', view });

    // A change marks the view as changed, and doesn't change it for others.
    await (await addFilter(page, 'Origin')).selectOption('API');
    await page.getByRole('button', { name: 'Tests (changed)' }).waitFor();
    await choose(page, 'Copy link to view');
    const link = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(new URL(link).search).toBe(`?view=${view}`);
    const colleague = await open('viewer', new URL(link).pathname + new URL(link).search);
    await colleague.getByRole('button', { name: 'Tests', exact: true }).waitFor();
    expect(queryOf(colleague)).toEqual({ status: 'test', view });
    await expect.poll(() => rows(colleague).count()).toBe(1);
    // A viewer can't change what the team shares.
    await menu(colleague).click();
    await colleague.getByRole('menuitem', { name: 'Save as new view…' }).waitFor();
    expect(await colleague.getByRole('menuitem', { name: 'Rename…' }).count()).toBe(0);

    // The list opens with the view for the person who chose it, and never changes a link with filters.
    await page.goto(new URL('/p/aurora/overview', page.url()).href);
    await page.getByRole('link', { name: 'Transactions' }).first().click();
    await page.getByRole('button', { name: 'Tests', exact: true }).waitFor();
    expect(queryOf(page)).toEqual({ status: 'test', view });
    await choose(page, 'All rows');
    await page.getByRole('button', { name: /^Open bought/ }).waitFor();
    expect(queryOf(page)).toEqual({});
    await page.goto(new URL('/p/aurora/transactions?status=normal', page.url()).href);
    await page.getByRole('button', { name: /^Open bought/ }).waitFor();
    expect(queryOf(page)).toEqual({ status: 'normal' });
  });

  test('two tabs: a stale change keeps the input and shows what was saved', async () => {
    const ask = await asRole(service(), 'finance');
    const found = (await ask('GET', '/views?list=transactions')).body.views[0];
    const page = await openAs(finance, `/p/aurora/transactions?status=fraud&view=${found.viewId}`);
    await choose(page, /^Save changes to Tests/);
    const dialog = page.getByRole('dialog', { name: 'Save changes to Tests' });
    const saved = await ask('PUT', `/shared-views/${found.viewId}`, {
      version: found.version,
      name: 'Tests only',
      query: { status: 'test', origin: 'api' },
    });
    expect(saved.status).toBe(200);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    const differences = dialog.getByRole('table', { name: 'Saved values and yours' });
    await differences.getByText('Status: Test · Origin: api').waitFor();
    await differences.getByText('Status: Fraud').waitFor();
    await dialog.getByRole('button', { name: 'Save my changes' }).click();
    await page.getByRole('button', { name: 'Tests', exact: true }).waitFor();
    const { views } = (await ask('GET', '/views?list=transactions')).body;
    expect(views[0]).toMatchObject({ name: 'Tests', query: { status: 'fraud' } });
    // If a view was changed in another tab, it isn't removed until the change was shown. If it was removed there, it
    // disappears.
    const change = { version: views[0].version, name: 'Tests again', query: {} };
    const renamed = (await ask('PUT', `/shared-views/${found.viewId}`, change)).body;
    await choose(page, 'Remove…');
    await page.getByRole('button', { name: 'Remove view' }).click();
    await page.getByText(/was changed while you were editing/).waitFor();
    await ask('DELETE', `/shared-views/${found.viewId}?version=${renamed.version}`);
    await page.getByRole('button', { name: 'Remove view' }).click();
    await page.getByRole('button', { name: 'Views', exact: true }).waitFor();
    expect(queryOf(page)).toEqual({});
  });
});

describe.skipIf(!hasBrowser)('columns', () => {
  test('are hidden by keyboard for one person, but never the name, and a view has its own', async () => {
    const page = await open('finance', '/p/aurora/transactions');
    await rows(page).first().waitFor();
    expect(await heads(page)).toContain('Share');
    await page.getByRole('button', { name: 'Columns', exact: true }).focus();
    await page.keyboard.press('Enter');
    const item = (name: string) => page.getByRole('menuitemcheckbox', { name });
    await item('Date').waitFor();
    expect(await item('Creator').isDisabled()).toBe(true);
    await expectAccessible(page);
    await item('Share').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('columnheader', { name: 'Share' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    expect(queryOf(page)).toEqual({});
    await page.reload();
    await rows(page).first().waitFor();
    expect(await heads(page)).toEqual(['Date', 'Purchase', 'Creator', 'Status', 'Sale', 'Earned']);
    // A link without a view shows the reader's own columns. A link with a view shows the view's columns.
    await choose(page, 'Save as new view…');
    await page.getByLabel('Name', { exact: true }).fill('Tests by hand');
    await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('button', { name: 'Tests by hand' }).waitFor();
    expect(queryOf(page)).toMatchObject({ hide: 'percent' });
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Show all columns' }).click();
    await page.getByRole('columnheader', { name: 'Share' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Tests by hand (changed)' }).waitFor();
  });
});
