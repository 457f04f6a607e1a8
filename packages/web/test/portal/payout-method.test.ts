import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { toAccountId } from '../../../server/src/platform/ids.ts';
import { sendNotices } from '../../../server/src/portal/notices/send-notices.ts';
import type { Browser } from '../../../server/test/browser.ts';
import { composeTestService } from '../../../server/test/compose-test-service.ts';
import { purchase } from '../../../server/test/fixtures.ts';
import { signIn } from '../../../server/test/staff.ts';
import { hasBrowser } from '../browser.ts';
import { usePortalPages } from '../portal.ts';
import { isSettled, tooWideBy } from '../screens.ts';

const portal = await usePortalPages();
let people = 0;

/** Creates a creator who is signed in. A second try of a test gets another one. */
async function newCreator(name: string, group = 'moba'): Promise<{ person: Browser; memberId: string }> {
  people += 1;
  const memberId = await portal.makeMember(group, `${name}${people}`);
  return { memberId, person: await portal.creator(`${name.toLowerCase()}${people}@example.com`, memberId) };
}

/** Types text key by key into a field. */
async function type(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).focus();
  await page.keyboard.type(text);
}

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();
const heading = (page: Page, name: string): Promise<void> => page.getByRole('heading', { name }).waitFor();

/** Returns what the staff see of the creator's open methods. */
async function opened(memberId: string): Promise<unknown[]> {
  const finance = await signIn(portal.service(), 'finance');
  const { rows } = (await finance.ask('GET', `/members/${memberId}/payees`)).body;
  const methods = [];
  for (const { methodId, state } of rows)
    if (state !== 'Ended')
      methods.push({ state, ...(await finance.ask('POST', `/payees/${methodId}/reveal`)).body });
  return methods;
}

/** Sends the emails that wait, as another process does. @returns the number of emails */
async function sendWaiting(): Promise<number> {
  const { database } = portal.service().testDatabase;
  const environment = { PORTAL_URL: `${portal.service().url}/creators`, SMTP_URL: portal.sink().url };
  const other = composeTestService(database, { environment }).portal;
  return sendNotices(other, database.background, 'aurora');
}

describe.skipIf(!hasBrowser)('Payout method', () => {
  test('is entered key by key on a phone, confirmed by email, saved as typed, removed, and taken back', async () => {
    const { person: maria, memberId } = await newCreator('MARIA');
    const page = await portal.visitAs(maria, '/you?publisher=aurora');
    await isSettled(page);
    await page.getByRole('link', { name: 'Open payout method' }).click();
    await heading(page, 'Payout method');
    await page.getByText('Enter where Aurora Games should pay you.').waitFor();
    await page.getByRole('link', { name: 'Enter a payout method' }).click();
    await heading(page, 'New payout method');
    expect(await tooWideBy(page)).toBeLessThanOrEqual(0);

    await press(page, 'Continue');
    await page.getByText('Email address is required.').waitFor();
    await page.getByText('Country is required.').waitFor();
    await page.getByText('Bank account').click();
    await type(page, 'IBAN', 'DE89 3704 0044 0532 0130 01');
    await page.getByText('A business’s').click();
    await type(page, 'Legal name', 'Maria Muster GmbH');
    await page.getByLabel('Country of the business').selectOption('Germany');
    await press(page, 'Continue');
    await page.getByText('This is not a valid IBAN.', { exact: false }).waitFor();
    await page.getByLabel('IBAN', { exact: true }).focus();
    await page.keyboard.press('Backspace');
    await page.keyboard.type('0');
    await press(page, 'Continue');
    await heading(page, 'Confirm it’s you');
    await page
      .getByText('Bank account, DE89 3704 0044 0532 0130 00, Maria Muster GmbH', { exact: false })
      .waitFor();
    expect(await tooWideBy(page)).toBeLessThanOrEqual(0);
    await type(page, 'Code', 'aaaa');
    await press(page, 'Save payout method');
    await page.getByText('Enter the eight letters and digits of the code.').waitFor();
    await type(page, 'Code', 'aaaa');
    await press(page, 'Save payout method');
    await page.getByText('The code is wrong', { exact: false }).waitFor();
    expect(await opened(memberId)).toEqual([]);
    const { code } = await portal.nextMail();
    await page.getByLabel('Code', { exact: true }).fill('');
    await type(page, 'Code', code);
    await page.keyboard.press('Enter');
    await page.getByText('DE… 3000').waitFor();
    await page.getByText('Used for payouts from', { exact: false }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/creators/payout-method');
    expect(await opened(memberId)).toEqual([
      {
        state: 'New',
        kind: 'sepa',
        holderName: 'Maria Muster GmbH',
        holderType: 'business',
        country: 'DE',
        email: null,
        iban: 'DE89370400440532013000',
        bic: null,
      },
    ]);
    expect(await page.content()).not.toContain('0532');

    expect(await sendWaiting()).toBe(1);
    const notice = await portal.nextMail();
    await page.getByRole('link', { name: 'Remove' }).click();
    await heading(page, 'Remove this payout method?');
    await press(page, 'Remove');
    await heading(page, 'Confirm it’s you');
    await type(page, 'Code', (await portal.nextMail()).code);
    await press(page, 'Remove payout method');
    await page.getByText('Not used anymore. You removed it', { exact: false }).waitFor();
    expect(await opened(memberId)).toEqual([]);
    expect(await sendWaiting()).toBe(1);
    await portal.nextMail();

    const elsewhere = await portal.visit(`/not-me#${notice.token}`);
    await heading(elsewhere, 'Your payout method was changed');
    expect(await tooWideBy(elsewhere)).toBeLessThanOrEqual(0);
    await press(elsewhere, 'This wasn’t me');
    await heading(elsewhere, 'The change was undone');
    const gates = await portal
      .db()
      .selectFrom('payee_gate')
      .select('kind')
      .where('publisher_id', '=', 'aurora')
      .where('account_id', '=', toAccountId(memberId))
      .execute();
    expect(gates).toEqual([{ kind: 'review' }]);
    // The session has ended.
    await page.reload();
    await heading(page, 'Sign in');
  });

  test('is offered where money waits for it on Home', async () => {
    await portal
      .service()
      .provision('{ publisher: { id: aurora, payoutsNeed: { method: true, taxCleared: false } } }');
    await portal.provisionGroup('paying', 'holdDays: 0, revShare: 100');
    const { person, memberId } = await newCreator('WAITS', 'paying');
    const sold = purchase({ code: memberId.slice(4), memberSharePercent: 100, subtotal: 5_000 });
    expect(await portal.record(sold, { query: '?groupId=paying' })).toMatchObject({ status: 200 });
    await portal.settle();
    const page = await portal.visitAs(person, '?publisher=aurora');
    await page.getByText('Payout method missing').waitFor();
    await page.getByRole('link', { name: 'Enter a payout method' }).click();
    await page.getByText('Aurora Games can pay you once you’ve entered a payout method.').waitFor();
  });
});
