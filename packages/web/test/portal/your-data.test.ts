import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser.ts';
import { usePortalPages } from '../portal.ts';
import { expectFits } from './expect-fits.ts';

const portal = await usePortalPages();
const { creator, visitAs, makeGroup, earn, settle } = portal;

describe.skipIf(!hasBrowser)('a creator', () => {
  test('downloads their data, requests the erasure, and changes their mind', async () => {
    await makeGroup('mine');
    await earn('mine', 'A', 999, { memberSharePercent: 100 });
    await settle();
    const person = await creator('mine@example.com', 'acc_mine_A');
    const page = await visitAs(person, '/you');
    await page.getByRole('link', { name: 'Open your data' }).click();
    await page.getByRole('heading', { name: 'Your data', level: 1 }).waitFor();
    const enterCode = async (code: string, action: string): Promise<void> => {
      await page.getByLabel('Code', { exact: true }).focus();
      await page.keyboard.type(code);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: action }).waitFor({ state: 'hidden' });
    };
    await page.getByRole('button', { name: 'Get your data' }).click();
    await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor();
    await page.getByText('mine@example.com').waitFor();
    await enterCode((await portal.nextMail()).code, 'Continue');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download your data' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^your-data-.*\.json$/);
    const saved = join(mkdtempSync(join(tmpdir(), 'downloads-')), 'file.json');
    await file.saveAs(saved);
    const { tables } = JSON.parse(readFileSync(saved, 'utf8'));
    expect(tables).toContainEqual(
      expect.objectContaining({ table: 'creator_account', accountId: 'acc_mine_A' }),
    );

    await page.getByText('Aurora Games owes you 9.99 USD.').waitFor();
    await page.getByRole('button', { name: 'Request erasure' }).click();
    await page.getByRole('button', { name: 'Keep my data' }).click();
    expect((await person.get('/erasure')).body.request, 'nothing is requested by looking').toBeNull();
    await page.getByRole('button', { name: 'Request erasure' }).click();
    await page.getByRole('button', { name: 'Erase my data' }).click();
    await page.getByText('This requests the erasure').waitFor();
    await page.getByRole('button', { name: 'Keep my data' }).click();
    await page.getByRole('button', { name: 'Request erasure' }).click();
    expect((await person.get('/erasure')).body.request, 'a code requests nothing').toBeNull();
    const unused = (await portal.nextMail()).code;
    await page.getByRole('button', { name: 'Erase my data' }).click();
    await page.getByText('This requests the erasure').waitFor();
    const { code } = await portal.nextMail();
    expect(code).not.toBe(unused);
    await enterCode(code, 'Erase my data');
    await page.getByText('You requested the erasure of your data').waitFor();
    await expectFits(page);
    expect((await person.get('/erasure')).body.request).not.toBeNull();
    await page.reload();
    await page.getByText('or once the money below is settled.').waitFor();
    await page.getByRole('button', { name: 'Keep my data' }).click();
    await page.getByRole('button', { name: 'Request erasure' }).waitFor();
    expect((await person.get('/erasure')).body.request).toBeNull();
  });
});
