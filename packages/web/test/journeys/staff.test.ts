import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { roles } from '../../../server/src/accounts/roles.ts';
import { signIn } from '../../../server/test/staff.ts';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';

const { open, openAs, service } = useDashboard();
const password = 'several words make a good one';

const heading = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('heading', { name, level: 1 }).waitFor();

/** Invites a person. @returns the link */
async function invite(page: Page, email: string, role: string): Promise<string> {
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite colleague' });
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByRole('radio', { name: role }).check();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await dialog.getByText('Copy it now. You won’t be able to see it again.').waitFor();
  const link = (await dialog.locator('pre').textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Done' }).click();
  return link;
}

describe.skipIf(!hasBrowser)('staff', () => {
  test('a person lists their sessions, and ends one or all other sessions', async () => {
    const there = await open('viewer', '/account', { email: 'two@example.com' });
    const places = there.getByRole('table', { name: 'Active sessions' });
    await places.getByText('Current', { exact: true }).waitFor();
    // Opens two more sessions for the same person, by signing in to other publishers.
    const person = await signIn(service(), 'viewer', { email: 'two@example.com', publisherId: 'rival' });
    await service().provision('publisher: { id: third, name: Third Studio }');
    const left = await signIn(service(), 'viewer', { email: 'two@example.com', publisherId: 'third' });
    await service()
      .testDatabase.database.db.updateTable('staff_session')
      .set({ user_agent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0' })
      .where('id', '=', left.sessionId)
      .execute();
    const here = await openAs(person, '/account');
    const end = here.getByRole('button', { name: 'End session in Firefox on Windows' });
    await end.click();
    await end.waitFor({ state: 'detached' });
    expect(await left.ask('GET', '/admin/v1/me')).toMatchObject({ status: 401 });
    await here.getByRole('button', { name: 'Sign out everywhere else' }).click();
    const question = here.getByRole('dialog', { name: 'Sign out everywhere else?' });
    await question.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await question.waitFor({ state: 'detached' });
    await here.getByRole('button', { name: 'Sign out everywhere else' }).waitFor({ state: 'detached' });
    await there.reload();
    await heading(there, 'Sign in');
  });

  test('an owner invites a finance person, who can use the link after a mail scanner opened it', async () => {
    const owner = await open('owner', '/p/aurora/team');
    const link = await invite(owner, 'fin@example.com', 'Finance');
    await owner.getByRole('tab', { name: 'Invitations' }).click();
    await owner.getByRole('cell', { name: 'fin@example.com' }).waitFor();
    await expectAccessible(owner);

    // Mail scanners open links without running the page's scripts.
    for (let look = 0; look < 3; look += 1) expect((await fetch(link)).status).toBe(200);
    const page = await openAs(null, link.replace(service().url, ''));
    await heading(page, 'Welcome to Aurora Games');
    await page.getByLabel('Your name').fill('Fin');
    await page.locator('input[name=password]').fill(password);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    await page.waitForURL(/\/p\/aurora\//);
    expect(page.url()).not.toContain('#');

    await page.getByRole('button', { name: 'You: Fin' }).click();
    await page.getByText('Role: finance').waitFor();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading(page, 'Sign in');
    await page.getByLabel('Email').fill('fin@example.com');
    await page.locator('input[name=password]').fill('wrong wrong wrong');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('The email address or the password is wrong.').waitFor();
    await page.locator('input[name=password]').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(/\/p\/aurora\//);

    const again = await openAs(null, link.replace(service().url, ''));
    await again.getByText('This invitation was already used').waitFor();
    await expectAccessible(again);
  });

  test('an owner changes a role and removes a person after a confirmation', async () => {
    const viewer = await signIn(service(), 'viewer', { name: 'Vera' });
    const owner = await open('owner', '/p/aurora/team');
    await owner.getByRole('button', { name: 'Edit Vera' }).click();
    await owner.getByRole('menuitem', { name: 'Change role' }).click();
    const dialog = owner.getByRole('dialog', { name: 'Change Vera’s role' });
    await dialog.getByRole('combobox', { name: 'Role' }).click();
    await owner.getByRole('option', { name: 'Support' }).click();
    await dialog.getByRole('button', { name: 'Change role' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect((await viewer.ask('GET', '/admin/v1/me')).body.publishers).toMatchObject([{ role: 'support' }]);

    for (const tab of ['Operator tokens', 'Rules', 'Roles']) {
      await owner.getByRole('tab', { name: tab }).click();
      await owner.getByRole('tabpanel').waitFor();
      await expectAccessible(owner);
    }
    await owner.getByRole('tab', { name: 'People' }).click();
    await owner.getByRole('button', { name: 'Edit Vera' }).click();
    await owner.getByRole('menuitem', { name: 'Remove' }).click();
    await owner.getByRole('dialog', { name: 'Remove Vera?' }).getByRole('button', { name: 'Remove' }).click();
    await owner.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await viewer.ask('GET', '/staff')).toMatchObject({ status: 404 });
  });

  test.each(roles)('shows only the buttons that the role %s allows', async (role) => {
    const page = await open(role, '/p/aurora/team');
    await page.getByRole('table', { name: 'People' }).waitFor();
    const isOwner = role === 'owner';
    expect(await page.getByRole('button', { name: 'Invite', exact: true }).count()).toBe(isOwner ? 1 : 0);
    expect((await page.getByRole('button', { name: /^Edit / }).count()) > 0).toBe(isOwner);
    expect(await page.getByRole('tab', { name: 'Operator tokens' }).count()).toBe(isOwner ? 1 : 0);
    const links = await page.getByRole('navigation').getByRole('link').allTextContents();
    const isThere = (name: string): boolean => links.some((link) => link.includes(name));
    expect(isThere('Audit')).toBe(['owner', 'manager', 'finance'].includes(role));
    await page.getByRole('tab', { name: 'Rules' }).click();
    const rule = page.getByRole('switch', { name: 'Require a second person for payouts' });
    await rule.waitFor();
    expect(await rule.isDisabled()).toBe(!isOwner);
  });

  test('a passkey signs in, counts as two factors, and confirms a sensitive action', async () => {
    const owner = await signIn(service(), 'owner', { name: 'Pia' });
    const local = service().url.replace('127.0.0.1', 'localhost');
    const page = await openAs(null, '/sign-in');
    const session = await page.context().newCDPSession(page);
    await session.send('WebAuthn.enable');
    await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.context().addCookies([{ ...owner.cookie, url: local }]);
    await page.goto(`${local}/account`);
    await page.getByLabel('Passkey name').fill('This laptop');
    await page.getByRole('button', { name: 'Create passkey' }).click();
    await page.getByRole('cell', { name: 'This laptop', exact: true }).waitFor();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await heading(page, 'Sign in');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL(/\/p\/aurora\//);

    const { db } = service().testDatabase.database;
    const [signedIn] = await db
      .selectFrom('staff_session')
      .select(['id', 'has_second_factor'])
      .where('user_id', '=', owner.userId)
      .orderBy('created_at', 'desc')
      .execute();
    expect(signedIn?.has_second_factor).toBe(true);
    await db
      .updateTable('staff_session')
      .set({ confirmed_at: new Date(Date.now() - 600_000) })
      .where('user_id', '=', owner.userId)
      .execute();
    await page.goto(`${local}/p/aurora/team`);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Invite colleague' });
    await form.getByLabel('Email').fill('later@example.com');
    await form.getByRole('button', { name: 'Invite' }).click();
    const again = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await again.getByRole('button', { name: 'Use passkey' }).click();
    await form.getByText('Copy it now. You won’t be able to see it again.').waitFor();
  });

  test('a publisher that requires a second factor redirects to its setup', async () => {
    const owner = await signIn(service(), 'owner', { publisherId: 'rival', hasSecondFactor: true });
    const { body: rules } = await owner.ask('GET', '/staff-rules');
    await owner.ask('PUT', '/staff-rules', { ...rules, demandsTwoFactor: true });
    const page = await open('viewer', '/p/rival/team', { publisherId: 'rival' });
    await heading(page, 'Sign-in settings');
    await page.getByText('Required by').waitFor();
    await page.getByRole('button', { name: 'Set up authenticator app' }).click();
    await page.getByRole('img', { name: 'The secret as a QR code' }).waitFor();
    await expectAccessible(page);
  });

  test('two tabs show two publishers', async () => {
    const email = 'both@example.com';
    const first = await signIn(service(), 'owner', { email });
    const second = await signIn(service(), 'viewer', { email, publisherId: 'rival', hasSecondFactor: true });
    expect(second.userId).toBe(first.userId);
    const one = await openAs(second, '/p/aurora/team');
    const two = await one.context().newPage();
    await two.goto(`${service().url}/p/rival/team`);
    await two.getByRole('table', { name: 'People' }).waitFor();
    expect(await two.getByRole('button', { name: 'Invite', exact: true }).count()).toBe(0);
    await one.getByRole('tab', { name: 'Invitations' }).click();
    await one.getByRole('button', { name: 'Invite', exact: true }).waitFor();
    await one.reload();
    await one.getByRole('banner').getByText('Aurora Games').waitFor();
  });
});
