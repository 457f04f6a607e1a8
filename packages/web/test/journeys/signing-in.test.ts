import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { invite } from '../../../server/src/accounts/people/invite.ts';
import { signIn } from '../../../server/test/staff.ts';
import { testActor } from '../../../server/test/test-actor.ts';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';

const { service, open, openAs } = useDashboard();
const password = 'correct horse battery';

const invited = (email: string) =>
  invite(
    service().testDatabase.database.db,
    testActor,
    { publisherId: 'aurora', email, role: 'manager' },
    new Date(),
  );

const endSession = (email: string) =>
  service()
    .testDatabase.database.db.deleteFrom('staff_session')
    .where('user_id', 'in', (from) => from.selectFrom('staff_user').select('id').where('email', '=', email))
    .execute();

test.skipIf(!hasBrowser)('redirects to the sign-in page without a session', async () => {
  const page = await open(null, '/p/aurora?group=main');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/sign-in');
  await expectAccessible(page);
});

test.skipIf(!hasBrowser)(
  'asks to sign in over a form when the session ends, and then saves the input once',
  async () => {
    const email = 'ines@example.com';
    const { token } = await invited(email);
    const page = await openAs(null, `/invitation#${token}`);
    await page.getByRole('heading', { name: 'Welcome to Aurora Games' }).waitFor();
    await expectAccessible(page);
    // An empty field is focused and shows our own message.
    const accept = page.getByRole('button', { name: 'Accept invitation' });
    await accept.click();
    await page.getByText('Name is required.').waitFor();
    await page.getByText('Enter at least 12 characters.').waitFor();
    await page.keyboard.type('Ines');
    expect(await page.getByLabel('Your name').inputValue()).toBe('Ines');
    expect(await page.getByText('Name is required.').count()).toBe(0);
    await page.getByLabel('New password').pressSequentially('short');
    await accept.click();
    await page.getByText('Enter at least 12 characters.').waitFor();
    await expectAccessible(page);
    await page.getByLabel('New password').fill(password);
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    await page.getByRole('banner').getByText('Aurora Games').waitFor();

    await page.goto(`${service().url}/p/aurora/settings`);
    await page.getByRole('button', { name: 'Open Aurora Creators' }).click();
    const form = page.getByRole('dialog', { name: 'Creator group' });
    await form.getByLabel('Hold period').fill('20');
    await endSession(email);
    await form.getByRole('button', { name: 'Save' }).click();

    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByText('What you typed is still here').waitFor();
    await expectAccessible(page);
    await dialog.getByLabel(/^Password/).fill('wrong wrong wrong');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByText('The email address or the password is wrong.').waitFor();
    await dialog.getByLabel(/^Password/).fill(password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await form.waitFor({ state: 'detached' });
    const saved = page.getByRole('row', { name: /Aurora Creators/ });
    await saved.getByText('20 days').waitFor();
  },
  60_000,
);

test.skipIf(!hasBrowser)('signs out, and Back shows no data', async () => {
  const person = await signIn(service(), 'manager');
  const page = await openAs(person, '/p/aurora/audit');
  await page.getByRole('table', { name: 'Changes' }).waitFor();
  await page.getByRole('button', { name: /^You:/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await page.getByRole('table').count()).toBe(0);
});

describe.skipIf(!hasBrowser)('a page used by one test', () => {
  let used: Page | undefined;

  test('is returned with a session and stored data', async () => {
    used = await open('owner', '/p/aurora', { size: { width: 360, height: 740 }, colorScheme: 'dark' });
    await used.getByRole('heading', { level: 1 }).waitFor();
    await used.evaluate(`localStorage.setItem('kept', 'by one'); sessionStorage.setItem('kept', 'by one')`);
  });

  test('is clean for the next test', async () => {
    const page = await open(null, '/p/aurora');
    expect(page === used, 'the same page').toBe(true);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const kept = await page.evaluate(
      `[localStorage.kept, sessionStorage.kept, innerWidth, matchMedia('(prefers-color-scheme: dark)').matches]`,
    );
    expect(kept).toEqual([undefined, undefined, 1_280, false]);
  });
});
