import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { monthsOf } from '../../../server/test/months.ts';
import { hasBrowser } from '../browser.ts';
import { usePortalPages } from '../portal.ts';
import { expectFits } from './expect-fits.ts';

const portal = await usePortalPages();
const { creator, visitAs, makeGroup, earn, settle, create, markPaid, db } = portal;
const months = monthsOf(db);

let groups = 0;
/** Returns another group's id each time, because a test may get a second try. */
function newGroup(): string {
  groups += 1;
  return `book-${groups}`;
}

/** Presses a button that downloads a file. @returns its name and text */
async function downloaded(page: Page, button: RegExp): Promise<{ name: string; content: string }> {
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).first().click();
  const file = await downloading;
  return { name: file.suggestedFilename(), content: await text(await file.createReadStream()) };
}

describe.skipIf(!hasBrowser)('a creator reads', () => {
  test('the statements of months, from the opening to the closing balance, and downloads their files', async () => {
    const group = newGroup();
    await makeGroup(group, 'holdDays: 0,');
    await earn(group, 'A', 8_420);
    await earn(group, 'A', 500, { currency: 'EUR' });
    await settle();
    const first = await months.close();
    const [batch] = await create(group, null, 'USD');
    await markPaid(batch?.batchId ?? '');
    await earn(group, 'A', 1_000);
    await settle();
    await months.close();
    const person = await creator(`${group}@example.com`, `acc_${group}_A`);
    const { rows } = (await person.get('/statements?publisher=aurora')).body;
    const page = await visitAs(person, '/payouts');
    await page.getByRole('link', { name: 'Statements' }).click();
    await page.getByRole('heading', { name: 'Statements', exact: true }).waitFor();
    expect(await page.getByRole('heading', { level: 2 }).count()).toBe(2);
    await page.getByText('Total earned: 5.00 EUR, 84.20 USD').waitFor();
    await page.getByText('Earned 10.00 USD · Added to payouts 84.20 USD').waitFor();
    await expectFits(page);

    for (const [index, kind] of ['pdf', 'csv', 'json'].entries()) {
      const { name, content } = await downloaded(page, new RegExp(`^${['PDF', 'CSV', 'JSON'][index]}:`));
      expect(name).toBe(`statement-aurora-${group}-${rows[0].month}-USD.${kind}`);
      if (kind === 'json') expect(JSON.parse(content)).toEqual(rows[0]);
      if (kind === 'csv')
        expect(content).toBe(
          (await person.get(`/statements/${rows[0].statementId}/statement.csv?publisher=aurora`)).text,
        );
      if (kind === 'pdf') expect(content).toMatch(/^%PDF-/);
    }

    await page.getByRole('link', { name: /Earned 10.00 USD/ }).click();
    const facts = page.locator('main dl').first();
    await facts.waitFor();
    expect(await facts.locator('dt, dd').allTextContents()).toEqual([
      ...['Opening balance', '84.20 USD', 'Earned from purchases', '10.00 USD'],
      ...['Added to payouts', 'minus −84.20 USD', 'Closing balance', '10.00 USD'],
    ]);
    await page.getByText(/^Paid, /).waitFor();
    await expectFits(page);
    await page.getByRole('link', { name: 'All statements' }).click();
    await page
      .getByRole('button', { name: new RegExp(`^CSV: .*${first.slice(0, 4)}, ${group}, EUR`) })
      .waitFor();
  });

  test('why a file could not be downloaded, and tries again', async () => {
    const group = newGroup();
    await makeGroup(group, 'holdDays: 0,');
    await earn(group, 'A', 100);
    await settle();
    await months.close();
    const page = await visitAs(await creator(`${group}@example.com`, `acc_${group}_A`), '/statements');
    await page.route('**/statement.pdf**', (route) =>
      route.fulfill({
        status: 503,
        json: { code: 'Unavailable', message: 'Too many files are being created right now.' },
      }),
    );
    await page.getByRole('button', { name: /^PDF:/ }).click();
    await page.getByText('Couldn’t download the file').waitFor();
    await page.getByText('Too many files are being created right now.').waitFor();
    await expectFits(page);
    await page.unroute('**/statement.pdf**');
    expect((await downloaded(page, /^PDF:/)).content).toMatch(/^%PDF-/);
    await page.getByText('Couldn’t download the file').waitFor({ state: 'detached' });
  });
});
