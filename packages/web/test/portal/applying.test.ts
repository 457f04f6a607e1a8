import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hashOf, termsText, withApplications } from '../../../server/test/applications.ts';
import { expectAccessible, hasBrowser } from '../browser.ts';
import { usePortalPages } from '../portal.ts';
import { isSettled } from '../screens.ts';
import { expectFits } from './expect-fits.ts';

const portal = withApplications(await usePortalPages());
const { openGroup, change, applicant, accountOf, stateOf, signedIn, visit, visitAs, owner, openDashboard } =
  portal;
let tries = 0;

/** Opens a group with a new name. A second try of a test gets another one. */
async function newGroup(settings: object = {}): Promise<string> {
  tries += 1;
  const groupId = `apply-${tries}`;
  await openGroup(groupId, settings);
  return groupId;
}

/** Types text key by key into a field. */
async function type(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).focus();
  await page.keyboard.type(text);
}

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();
const heading = (page: Page, name: string): Promise<void> => page.getByRole('heading', { name }).waitFor();

describe.skipIf(!hasBrowser)('Apply', () => {
  test('is done key by key on a phone, from the link to Home, and the staff approves it', async () => {
    const groupId = await newGroup();
    const email = `kira-${groupId}@example.com`;
    const page = await visit(`/apply/aurora/${groupId}`);
    await heading(page, `Become a creator in The ${groupId}`);
    await page.getByText('10%').waitFor();
    await page.getByText('You are 13 or older.').waitFor();
    await isSettled(page);
    await expectFits(page);
    expect(await page.getByRole('button', { name: 'Apply', exact: true }).count()).toBe(0);

    await press(page, 'Sign in to apply');
    await type(page, 'Email address', email);
    await page.keyboard.press('Enter');
    await heading(page, 'Enter your code');
    await type(page, 'Code', (await portal.nextMail()).code);
    await page.keyboard.press('Enter');
    await heading(page, `Become a creator in The ${groupId}`);

    await press(page, 'Apply');
    await page.getByText('Name is required.').waitFor();
    await page.getByText('Enter a code with at least two letters or digits.').waitFor();
    await page.getByText('Read and accept the terms.').waitFor();
    await expectAccessible(page);
    await type(page, 'Creator name', 'Kira');
    await type(page, 'Your code', 'ALICE');
    await page.getByText('ALICE isn’t available. Choose another one.').waitFor();
    await page.keyboard.type(' ');
    await page.keyboard.type('!');
    await page.getByText('Use 2 to 32 letters from A to Z, digits, _ and -.').waitFor();
    for (let key = 0; key < 'ALICE !'.length; key += 1) await page.keyboard.press('Backspace');
    await page.keyboard.type(`KIRA-${groupId}`);
    await page.getByText(`KIRA-${groupId} is available.`).waitFor();
    await page.getByLabel('I have read and accept the terms').focus();
    await page.keyboard.press('Space');
    await page.getByText(`Aurora Games will see your name, code, and email address (${email}).`).waitFor();
    await page.getByRole('button', { name: 'Apply', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Application sent').first().waitFor();
    await isSettled(page);
    await expectFits(page);
    await page.getByRole('link', { name: 'Go to Home' }).click();
    await page.getByText(`Aurora Games hasn’t approved you for The ${groupId} yet.`).waitFor();

    const staff = await openDashboard(await owner(), `/p/aurora/creators?tab=pending&group=${groupId}`);
    await staff.getByRole('button', { name: 'Open Kira' }).click();
    const part = staff.getByRole('region', { name: 'Application' });
    await part.getByText('Pending').waitFor();
    await part.getByText(email).waitFor();
    await expectAccessible(staff);
    const drawer = staff.getByRole('dialog', { name: 'Creator' });
    await drawer.getByRole('button', { name: 'Approve', exact: true }).click();
    await staff
      .getByRole('dialog', { name: 'Approve 1 creator?' })
      .getByRole('button', { name: 'Approve' })
      .click();
    await staff.getByText('Kira approved').waitFor();
    await page.goto(`${new URL(page.url()).origin}/creators/apply/aurora/${groupId}`);
    await page.getByText('Aurora Games approved your application').waitFor();
  });

  test('shows why it was refused, on its page and on Home', async () => {
    const groupId = await newGroup();
    const person = await applicant(`refused-${groupId}@example.com`, groupId, `NO-${groupId}`);
    const staff = await owner();
    const reason = 'You need 1,000 followers.';
    await staff.ask('POST', `/members/${await accountOf(person)}/remove?group=${groupId}`, { reason });
    const page = await visitAs(person, `/apply/aurora/${groupId}`);
    await page.getByText('Aurora Games didn’t accept your application').waitFor();
    await page.getByText(`Reason: ${reason}`).waitFor();
    await page.getByText(/^You can apply again on /).waitFor();
    await isSettled(page);
    await expectFits(page);
    expect(await page.getByRole('button', { name: 'Apply', exact: true }).count()).toBe(0);
    const home = await visitAs(person, '?publisher=aurora');
    await home.getByText(`Reason: ${reason}`).waitFor();
  });

  test('asks again if the terms changed or the code was taken meanwhile, and keeps what was typed', async () => {
    const groupId = await newGroup();
    const page = await visitAs(await signedIn(`stale-${groupId}@example.com`), `/apply/aurora/${groupId}`);
    await type(page, 'Creator name', 'Nia');
    await type(page, 'Your code', `NIA-${groupId}`);
    await page.getByText(`NIA-${groupId} is available.`).waitFor();
    await page.getByLabel('I have read and accept the terms').check();
    await change(groupId, { terms: 'Be very kind.' });
    await press(page, 'Apply');
    await page.getByText('The terms have changed.').waitFor();
    await page.getByText('Be very kind.').waitFor();
    expect(await page.getByLabel('Your code').inputValue()).toBe(`NIA-${groupId}`);
    expect(await page.getByLabel('I have read and accept the terms').isChecked()).toBe(false);

    await page.getByLabel('I have read and accept the terms').check();
    const rival = await signedIn(`faster-${groupId}@example.com`);
    expect(
      await portal.applyTo(rival, groupId, { code: `NIA-${groupId}`, termsSha256: hashOf('Be very kind.') }),
    ).toMatchObject({ status: 200 });
    await press(page, 'Apply');
    await page.getByText(`NIA-${groupId} isn’t available. Choose another one.`).waitFor();
    await page.getByLabel('Your code').focus();
    await page.keyboard.press('End');
    await page.keyboard.type('2');
    await page.getByText(`NIA-${groupId}2 is available.`).waitFor();
    await press(page, 'Apply');
    await page.getByText('Application sent').first().waitFor();
  });

  test('is not offered by a closed or full group', async () => {
    const closed = await visit('/apply/aurora/main');
    await heading(closed, 'Not accepting applications');
    await expectFits(closed);
    const groupId = await newGroup({ maxPending: 1 });
    const first = await applicant(`first-${groupId}@example.com`, groupId, `FIRST-${groupId}`);
    const full = await visit(`/apply/aurora/${groupId}`);
    await full.getByText('Applications are paused').waitFor();
    expect(await stateOf(first, groupId)).toMatchObject({ state: 'Open' });
  });

  test('continues after the link of the email was opened in another tab', async () => {
    const groupId = await newGroup();
    const page = await visit(`/apply/aurora/${groupId}`);
    await press(page, 'Sign in to apply');
    await type(page, 'Email address', `tab-${groupId}@example.com`);
    await page.keyboard.press('Enter');
    const { link } = await portal.nextMail();
    const tab = await page.context().newPage();
    await tab.goto(new URL(link.pathname + link.hash, page.url()).href);
    await press(tab, 'Sign in');
    await tab.getByRole('link', { name: 'Continue your application' }).click();
    await tab.getByLabel('Creator name').waitFor();
    await tab.close();
  });
});

describe.skipIf(!hasBrowser)('staff', () => {
  test('open a group for applications key by key, and close it again', async () => {
    const groupId = await newGroup({ open: true });
    await change(groupId, { open: false });
    const page = await openDashboard(await owner(), `/p/aurora/settings?open=${groupId}`);
    const part = page.getByRole('region', { name: 'Applications' });
    expect(await part.getByLabel('Terms').inputValue()).toBe(termsText);
    await part.getByLabel('Terms').fill('');
    await part.getByLabel('Accept applications').focus();
    await page.keyboard.press('Space');
    await part.getByRole('button', { name: 'Update application settings' }).click();
    await part.getByText('Terms are required.').waitFor();
    await part.getByLabel('Terms').focus();
    await page.keyboard.type('Be kind to everyone.');
    await part.getByLabel('Reserved codes').focus();
    await page.keyboard.type('Admin, official staff');
    await expectAccessible(page);
    await part.getByRole('button', { name: 'Update application settings' }).click();
    await page.getByText(`The ${groupId} now accepts applications`).waitFor();
    await part.getByRole('link', { name: new RegExp(`/creators/apply/aurora/${groupId}$`) }).waitFor();
    await part.getByText('Version 2').waitFor();
    expect((await portal.settings(groupId)).body).toMatchObject({
      isOpen: true,
      reservedCodes: ['admin', 'official', 'staff'],
      terms: { version: 2, text: 'Be kind to everyone.' },
    });
    await part.getByLabel('Accept applications').focus();
    await page.keyboard.press('Space');
    // The keyboard, because the notice about the last change may cover the button.
    await part.getByRole('button', { name: 'Update application settings' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText(`The ${groupId} doesn’t accept applications`).waitFor();
    expect((await portal.settings(groupId)).body).toMatchObject({ isOpen: false, terms: { version: 2 } });
  });
});
