import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { asRole } from '../../../server/test/admin.ts';
import { purchase } from '../../../server/test/fixtures.ts';
import { settleAll } from '../../../server/test/money.ts';
import { payElsewhere, sharesOfGroup } from '../../../server/test/row-money.ts';
import { signIn } from '../../../server/test/staff.ts';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';

const { open, openAs, service, keys } = useDashboard();
const db = () => service().testDatabase.database.db;
const settle = () => settleAll(db());
const record = (sent: unknown, key = keys().backend) =>
  service().call('POST', '/v1/attributions/transactions', { key, json: sent });

const isFocused = (field: Locator): Promise<boolean> =>
  field.evaluate((node) => node === node.ownerDocument.activeElement);

beforeAll(async () => {
  if (!hasBrowser) return;
  await record([
    purchase({ transactionId: 'three', subtotal: 1_000 }),
    purchase({ transactionId: 'three', subtotal: 2_000, code: 'BOB' }),
    purchase({ transactionId: 'three', subtotal: 3_000, code: 'AL-1' }),
  ]);
  await record(purchase({ transactionId: '662E41', code: 'BOB', playerName: '=1+1', playerId: 'buyer-7' }));
  await record(purchase({ transactionId: '00123', currency: 'JPY', subtotal: 500 }));
  await settle();
});

test.skipIf(!hasBrowser)('explains order-7 from docs/shares.md, and copies the explanation', async () => {
  const text = readFileSync(new URL('../../../../docs/shares.md', import.meta.url), 'utf8');
  const [key] = await service().provision(/```yaml\n([\s\S]*?)```/.exec(text)?.[1] ?? '');
  const sent = { code: 'GOLD', skuId: 'battle-pass', memberSharePercent: 50 };
  const transactionDate = '2026-06-15T12:00:00.000Z';
  await record(purchase({ transactionId: 'order-7', ...sent, transactionDate }), key?.key);
  await settle();
  const person = await signIn(service(), 'support', { publisherId: 'example' });
  const page = await openAs(person, '/p/example/transactions');
  await page.getByRole('button', { name: /^Open order-7/ }).click();
  const drawer = page.getByRole('dialog', { name: 'Purchase' });
  const rules = drawer.getByRole('table', { name: /^Why .* earns 5.00 USD/ });
  await rules.getByText('6. Group default').waitFor();
  const rows = await rules.getByRole('row').allInnerTexts();
  expect(rows.map((row) => row.replaceAll(/\s+/g, ' ').trim())).toEqual([
    'Rule Source Share',
    '1. Share sent with the purchase applied 50%',
    '2. SKU share battle-pass 5%',
    expect.stringMatching(/^3\. Tier schedule .* 30%$/),
    expect.stringMatching(/^4\. Group schedule .* 12\.5%$/),
    '5. Tier Gold 20%',
    '6. Group default main 10%',
  ]);
  await drawer.getByText('9.99 × 50% = 4.995 → 5.00 USD, rounded').waitFor();
  await drawer.getByRole('heading', { name: /^5\.00 USD to / }).waitFor();
  await drawer.getByRole('row', { name: 'Net 5.00 USD' }).waitFor();
  await drawer.getByRole('button', { name: 'Copy explanation' }).click();
  const copied = await page.evaluate('navigator.clipboard.readText()');
  expect(copied).toContain('→ 1. Share sent with the purchase: 50%');
  expect(copied).toContain('9.99 × 50% = 4.995 → 5.00 USD, rounded');
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
});

test.skipIf(!hasBrowser)('shows the outcome of each row when a reversal stops at a paid row', async () => {
  const finance = await asRole(service(), 'finance');
  const { rows } = (await finance('GET', '/transactions/three')).body;
  await payElsewhere(db(), rows[1].row.attributionId);
  const page = await open('support', '/p/aurora/transactions?open=three', { colorScheme: 'dark' });
  const drawer = page.getByRole('dialog', { name: 'Purchase' });
  await drawer.getByRole('button', { name: 'Reverse…' }).click();
  const question = page.getByRole('dialog', { name: 'Reverse three?' });
  await question.getByText('2.00 USD from Alice').waitFor();
  await question.getByLabel('Reason').selectOption('Chargeback');
  await question.getByLabel('Note for the audit log').fill('the bank said so');
  await question.getByRole('button', { name: 'Reverse 3 transactions' }).click();
  await drawer.getByRole('alert').getByText('Partly reversed').waitFor();
  const outcomes = await drawer
    .getByRole('list', { name: 'Result for each transaction' })
    .getByRole('listitem')
    .allInnerTexts();
  expect(outcomes).toEqual([
    'Alice, 10.00 USD: reversed',
    'Bob, 20.00 USD: already paid out, not changed',
    'Alice, 30.00 USD: not reached, not changed',
  ]);
  const after = (await finance('GET', '/transactions/three')).body.rows;
  expect(after.map(({ row }: { row: { status: string } }) => row.status)).toEqual([
    'Chargeback',
    'Normal',
    'Normal',
  ]);
});

test.skipIf(!hasBrowser)('claws back a paid purchase from its drawer, once the total is typed', async () => {
  const finance = await asRole(service(), 'finance');
  const { rows } = (await finance('GET', '/transactions/three')).body;
  const total = (Number(rows[1].explanation.shareMinor) / 100).toFixed(2);
  const page = await open('finance', '/p/aurora/transactions?open=three');
  const drawer = page.getByRole('dialog', { name: 'Purchase' });
  await drawer.getByRole('button', { name: 'Claw back…' }).click();
  const question = page.getByRole('dialog', { name: 'Claw back three?' });
  const clawBack = question.getByRole('button', { name: `Claw back ${total} USD` });
  await clawBack.waitFor();
  expect(await question.getByLabel('Amount from Bob in USD').inputValue()).toBe(total);
  await question.getByLabel(`Type ${total} to confirm`).fill('20.01');
  expect(await clawBack.isDisabled()).toBe(true);
  await question.getByLabel(`Type ${total} to confirm`).fill(total);
  await clawBack.click();
  await question.waitFor({ state: 'detached' });
  await drawer.getByText('Clawed back (Refund)').waitFor();
  const reversals = drawer.getByRole('table', { name: 'Reversals of this purchase' });
  await reversals
    .locator('[data-negative]', { hasText: `−${total}` })
    .first()
    .waitFor();
  await drawer.getByRole('button', { name: 'Claw back…' }).waitFor({ state: 'detached' });
});

test.skipIf(!hasBrowser)('refunds a part of a purchase, and shows the refund with its amount', async () => {
  const page = await open('support', '/p/aurora/transactions?open=three');
  const drawer = page.getByRole('dialog', { name: 'Purchase' });
  await drawer.getByRole('button', { name: 'Refund partially…' }).click();
  const question = page.getByRole('dialog', { name: 'Partially refund three?' });
  await question.getByText('Enter an amount without tax, up to 30.00 USD.').waitFor();
  await question.getByLabel('Amount in USD').fill('30.01');
  await question.getByRole('button', { name: 'Refund partially' }).click();
  expect(await question.isVisible()).toBe(true);
  await question.getByLabel('Amount in USD').fill('10');
  await question.getByRole('button', { name: 'Refund partially' }).click();
  await question.waitFor({ state: 'detached' });
  await drawer.getByText('Refund of 10.00 USD').waitFor();
  await drawer.getByRole('row', { name: /^Net 4\.00 USD/ }).waitFor();
  // Alice and Bob keep 4.00 USD and what the rest of the purchase earns.
  await drawer.getByText('Partly refunded').waitFor();
  await page.keyboard.press('Escape');
  const row = page.getByRole('row', { name: /Partly refunded/ });
  await row.getByText('reduced from').first().waitFor();
});

test.skipIf(!hasBrowser)('holds a purchase with a reason, and releases it', async () => {
  const page = await open('support', '/p/aurora/transactions?open=662E41');
  const drawer = page.getByRole('dialog', { name: 'Purchase' });
  await drawer.getByRole('button', { name: 'Hold…' }).click();
  const place = page.getByRole('button', { name: 'Place hold' });
  await place.click();
  await page.getByText('Reason is required.').waitFor();
  await page.getByLabel('Reason').fill('the buyer disputes it');
  await place.click();
  await place.waitFor({ state: 'detached' });
  await drawer.getByText('the buyer disputes it').first().waitFor();
  await page.keyboard.press('Escape');
  const row = page.getByRole('row', { name: /662E41/ });
  await row.getByText('On hold').waitFor();
  await row.click();
  await drawer.getByRole('button', { name: 'Release…' }).click();
  const question = page.getByRole('dialog', { name: 'Release this hold?' });
  await question.getByText('Reason: the buyer disputes it').waitFor();
  await question.getByLabel('Reason').fill('the buyer was wrong');
  await question.getByRole('button', { name: 'Release', exact: true }).click();
  await question.waitFor({ state: 'detached' });
  await drawer.getByRole('button', { name: 'Hold…' }).waitFor();
  await page.keyboard.press('Escape');
  await row.getByText('On hold').waitFor({ state: 'detached' });
});

test.skipIf(!hasBrowser)('adds, changes and removes a filter with the keyboard', async () => {
  const page = await open('manager', '/p/aurora/transactions');
  const add = page.getByRole('button', { name: 'Add filter' });
  const filters = page.getByRole('group', { name: 'Filters' });
  await page.getByText('5 transactions').waitFor();
  const origin = filters.getByLabel('Origin', { exact: true });
  expect(await origin.count()).toBe(0);
  await add.press('Enter');
  await page.getByRole('menuitem', { name: 'Status' }).waitFor();
  await expectAccessible(page, 'the menu');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => isFocused(origin)).toBe(true);
  await page.keyboard.type('Storefront');
  await page.waitForURL(/origin=storefrontCode/);
  await page.getByRole('heading', { name: 'No matching purchases' }).waitFor();
  await expectAccessible(page, 'an added filter');

  // The filter of a link is shown like one that was added. Choosing all keeps the field.
  await page.reload();
  await expect.poll(() => origin.inputValue()).toBe('storefrontCode');
  await origin.focus();
  await origin.selectOption('All');
  await page.waitForURL((url) => !url.search.includes('origin'));
  await page.getByText('5 transactions').waitFor();
  await page.getByRole('button', { name: 'Remove filter Origin' }).press('Enter');
  expect(await origin.count()).toBe(0);
  await expect.poll(() => isFocused(add)).toBe(true);
});

test.skipIf(!hasBrowser)('sorts by the header of the dates, in both directions', async () => {
  const page = await open('viewer', '/p/aurora/transactions');
  const head = page.getByRole('columnheader', { name: 'Date' });
  await head.waitFor();
  expect(await head.getAttribute('aria-sort')).toBe('descending');
  expect(await page.getByLabel('Sort by').count()).toBe(0);
  const button = head.getByRole('button');
  await button.press('Enter');
  await page.waitForURL(/sort=oldest/);
  expect(await head.getAttribute('aria-sort')).toBe('ascending');
  expect(await isFocused(button)).toBe(true);
  await expectAccessible(page, 'a header that sorts');
  const ids = () => page.getByRole('button', { name: /^Open / }).allInnerTexts();
  expect((await ids()).length).toBe(5);
  await button.press('Enter');
  await page.waitForURL((url) => !url.search.includes('sort'));

  // Without the column, and on a phone, the order is chosen beside the filters.
  await page.goto(`${service().url}/p/aurora/transactions?view=none&hide=date`);
  await page.getByLabel('Sort by').selectOption('Oldest first');
  await page.waitForURL(/sort=oldest/);
  await page.goto(`${service().url}/p/aurora/transactions`);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  await page.getByLabel('Sort by').selectOption('Oldest first');
  await page.waitForURL(/sort=oldest/);
  expect(await page.getByRole('columnheader').getByRole('button').count()).toBe(0);
});

test.skipIf(!hasBrowser)('crosses out the amounts of a reversed purchase', async () => {
  const finance = await asRole(service(), 'finance');
  expect((await finance('POST', '/transactions/00123/reverse', { action: 'Refund' })).status).toBe(200);
  const page = await open('finance', '/p/aurora/transactions');
  const row = page.getByRole('row', { name: /00123/ });
  await row.getByText('Refunded', { exact: true }).waitFor();
  await row.getByText('reversed:').first().waitFor();
  expect(await row.locator('s').allInnerTexts()).toEqual(['500 JPY', '100 JPY']);
  await page.getByRole('button', { name: /^Open 00123/ }).click();
  await page.getByRole('dialog', { name: 'Purchase' }).getByRole('heading').locator('s').first().waitFor();
});

test.skipIf(!hasBrowser)('keeps filters in the URL, where ids stay strings', async () => {
  const page = await open('manager', '/p/aurora/transactions');
  const table = page.getByRole('table', { name: 'Transactions' });
  await table.getByText('662E41').waitFor();
  await page.getByText('5 transactions').waitFor();
  await page.getByRole('combobox', { name: 'Purchase ID, code, or creator' }).fill('662E41');
  await page.keyboard.press('Enter');
  await page.waitForURL(/id=662E41/);
  await page.getByText('1 transaction', { exact: false }).first().waitFor();
  const openers = table.getByRole('button', { name: /^Open / });
  await expect.poll(() => openers.count(), { timeout: 10_000 }).toBe(1);
  await table.getByRole('rowheader', { name: /\d/ }).waitFor();
  await page.reload();
  await page.getByRole('group', { name: 'Filters' }).getByTitle('662E41').waitFor();
  await page.goto(`${service().url}/p/aurora/transactions?open=00123`);
  await page.getByRole('dialog', { name: 'Purchase' }).getByText('500 JPY').first().waitFor();
  await page.goto(`${service().url}/p/aurora/transactions?code=NOBODY`);
  await page.getByRole('heading', { name: 'No matching purchases' }).waitFor();
});

test.skipIf(!hasBrowser)('exports rows whose total matches the rollup', async () => {
  const page = await open('finance', '/p/aurora/transactions?group=main');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download', { timeout: 30_000 }),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  const path = join(mkdtempSync(join(tmpdir(), 'export-')), 'transactions.csv');
  await download.saveAs(path);
  const text = readFileSync(path, 'utf8');
  expect(text.startsWith('\ufefftransactionId,')).toBe(true);
  expect(text, 'no formula').toContain(",'=1+1\r\n");
  const lines = text.trimEnd().split('\r\n').slice(1);
  const sums = new Map<string, bigint>();
  for (const cells of lines.map((line) => line.split(','))) {
    const [currency = '', share = '0'] = [cells[11], cells[16]];
    sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(share));
  }
  expect(sums).toEqual(await sharesOfGroup(db(), 'aurora', 'main'));
});

test.skipIf(!hasBrowser)('hides buyers, reversal and export from a viewer', async () => {
  const page = await open('viewer', '/p/aurora/transactions?open=662E41', {
    size: { width: 360, height: 740 },
  });
  const drawer = page.getByRole('dialog', { name: 'Purchase' });
  await drawer.getByText('Battle pass').waitFor();
  expect(await drawer.getByText('buyer-7').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Reverse…' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Export CSV' }).count()).toBe(0);
});

test.skipIf(!hasBrowser)('groups rows by day, and shortens a long id in the middle', async () => {
  const id = 'pi_3MtwBwLkdIwHu7ix28a3tqPa';
  const record = (transactionId: string, transactionDate: string) =>
    service().call('POST', '/v1/attributions/transactions', {
      key: keys().backend,
      json: purchase({ transactionId, transactionDate }),
    });
  await record(id, '2026-02-03T10:15:00Z');
  await record('second-of-the-day', '2026-02-03T09:00:00Z');
  await record('of-the-day-before', '2026-02-02T11:20:00Z');
  await record('second-of-that-day', '2026-02-02T09:00:00Z');
  const page = await open(
    'finance',
    '/p/aurora/transactions?from=2026-02-01T00:00:00Z&until=2026-02-05T00:00:00Z',
    {
      size: { width: 768, height: 900 },
    },
  );
  const table = page.getByRole('table', { name: 'Transactions' });
  await table.getByText('10:15').waitFor();
  expect(await table.getByRole('rowheader').allInnerTexts()).toEqual([
    expect.stringMatching(/^Tuesday,? (3 Feb|Feb 3)/),
    expect.stringMatching(/^Monday,? (2 Feb|Feb 2)/),
  ]);
  const short = table.getByTitle(id);
  expect(await short.textContent()).toBe('pi_3MtwB…7ix28a3tqPa');
  const head = await table.getByRole('columnheader').allInnerTexts();
  expect(head, 'without a blank status').not.toContain('Status');
  expect(head).toEqual(expect.arrayContaining(['Creator', 'Sale', 'Earned']));
  const heights = await Promise.all(
    (
      await table
        .getByRole('row')
        .filter({ has: page.getByRole('checkbox') })
        .all()
    ).map(async (row) => (await row.boundingBox())?.height),
  );
  expect(Math.max(...heights.slice(1).map(Number)), 'rows of one line').toBeLessThan(40);
  await expectAccessible(page, 'rows under the headings of days');
  await table.getByRole('button', { name: new RegExp(`^Open ${id}`) }).click();
  await page.getByRole('dialog', { name: 'Purchase' }).getByText(id).first().waitFor();

  // With a heading for nearly each row, the list would be twice as long.
  for (const day of ['04', '05', '06']) await record(`alone-on-${day}`, `2026-02-${day}T08:00:00Z`);
  await page.goto(
    `${service().url}/p/aurora/transactions?from=2026-02-04T00:00:00Z&until=2026-02-07T00:00:00Z`,
  );
  await table
    .getByRole('row', { name: /alone-on-05/ })
    .getByText(/^(5 Feb|Feb 5),? /)
    .waitFor();
  expect(await table.getByRole('rowheader').count(), 'one row a day').toBe(0);
});
