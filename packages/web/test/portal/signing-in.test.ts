import type { Page, Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser.ts';
import { usePortalPages } from '../portal.ts';
import { isSettled } from '../screens.ts';

const portal = await usePortalPages();
const { visit, visitAs, nextMail, makeGroup, earn, settle, authCode, signedIn, creator, owner } = portal;

const heading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { name, exact: true }).waitFor();

async function requestCode(page: Page, email: string) {
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Send code' }).click();
  await heading(page, 'Enter your code');
  return nextMail();
}

/** Types the emailed code into the tab that requested it. */
async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code', { exact: true }).fill(code);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Counts the requests that could use something up. */
function countChanges(page: Page): () => string[] {
  const found: string[] = [];
  page.on('request', (request: Request) => {
    if (request.method() !== 'GET') found.push(new URL(request.url()).pathname);
  });
  return () => found;
}

/** Returns the path of a link in an email, in the portal. */
const pathOf = ({ link }: { link: URL }): string => link.pathname.replace('/creators', '') + link.hash;

describe.skipIf(!hasBrowser)('a creator', () => {
  test('signs in with a typed code, connects an account with an auth code, and sees the amounts', async () => {
    await makeGroup('enter');
    await earn('enter', 'A', 1_234);
    await settle();
    const page = await visit('');
    await heading(page, 'Sign in');
    expect(await page.getByLabel('Email address').getAttribute('autocomplete')).toBe('email');
    const { code } = await requestCode(page, 'typed@example.com');
    const field = page.getByLabel('Code', { exact: true });
    expect(await field.getAttribute('autocomplete')).toBe('one-time-code');
    await page.evaluate(`navigator.clipboard.writeText(' ${code.toLowerCase().replace('-', ' ')} ')`);
    await field.focus();
    await page.keyboard.press('Control+V');
    await page.keyboard.press('Enter');
    await heading(page, 'Connect your creator account');

    await page.getByRole('link', { name: 'Enter auth code' }).click();
    await page.getByLabel('Auth code').fill(await authCode('acc_enter_A'));
    await page.getByRole('button', { name: 'Continue' }).click();
    await heading(page, 'Connect A?');
    await page.getByText('This creator account is with Aurora Games.').waitFor();
    await page.getByText('You’ll see its codes, its balances, and everything it has earned.').waitFor();
    await page.getByRole('button', { name: 'Connect account' }).click();
    await heading(page, 'Your earnings');
    await page.getByText('12.34 USD').first().waitFor();
  });

  test('signs in with the link in another browser, once, and only by pressing its button', async () => {
    const asked = await visit('/enter');
    const mail = await requestCode(asked, 'linked@example.com');
    const phone = await visit(pathOf(mail));
    const changes = countChanges(phone);
    await heading(phone, 'Sign in');
    await phone.getByRole('button', { name: 'Sign in' }).click();
    await heading(phone, 'Connect your creator account');
    expect(changes()).toEqual(['/portal/v1/auth/links/enter']);
    expect(new URL(phone.url()).hash).toBe('');
    const again = await visit(pathOf(mail));
    await again.getByRole('button', { name: 'Sign in' }).click();
    await heading(again, 'This link can’t be used');
    await again.getByRole('button', { name: 'Get a new code' }).click();
    await again.getByLabel('Email address').waitFor();
    await enterCode(asked, mail.code);
    await asked.getByText('The code is wrong, has expired, or was requested in another browser.').waitFor();
  });

  test('loses nothing to a mail scanner that opens the link’s page and runs its scripts', async () => {
    const asked = await visit('/enter');
    const mail = await requestCode(asked, 'scanned@example.com');
    for (let time = 0; time < 2; time += 1) {
      const scanner = await visit('/enter');
      const changes = countChanges(scanner);
      await scanner.goto(mail.link.href);
      await scanner.reload();
      await isSettled(scanner);
      await scanner.waitForTimeout(500);
      expect(changes()).toEqual([]);
    }
    await enterCode(asked, mail.code);
    await heading(asked, 'Connect your creator account');
  });

  test('sees that a code is wrong, is not charged for an incomplete one, and can go on after a reload', async () => {
    const page = await visit('/enter?next=%2Fyou');
    const { code } = await requestCode(page, 'wrong@example.com');
    const changes = countChanges(page);
    await enterCode(page, code.slice(0, 6));
    await page.getByText('Enter the eight letters and digits of the code.').waitFor();
    expect(changes()).toEqual([]);
    await enterCode(page, 'AAAA-AAAA');
    await page
      .getByRole('alert')
      .getByText('Check it, open the link in the email, or request a new code.')
      .waitFor();
    await page.reload(); // as when a phone has discarded the tab
    await enterCode(page, code);
    await heading(page, 'You');
    await page.getByText('wrong@example.com').waitFor();
  });

  test('is told when to request codes again after too many', async () => {
    const page = await visit('/enter');
    await requestCode(page, 'limited@example.com');
    for (let time = 0; time < 2; time += 1) {
      await page.getByRole('button', { name: 'Send another code' }).click();
      await nextMail();
    }
    await page.getByText('We sent another email. Earlier codes still work.').waitFor();
    await page.getByRole('button', { name: 'Send another code' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('Too many attempts').waitFor();
    await alert.getByText('try again in an hour').waitFor();
  });

  test('accepts an invitation, signed in as the invited address or as another one, and never twice', async () => {
    await makeGroup('invite');
    const staff = await owner();
    const invite = async (memberId: string, email: string) => {
      const path = `/admin/v1/publishers/aurora/members/${memberId}/portal-invitations`;
      expect(await staff.ask('POST', path, { email })).toMatchObject({ status: 200 });
      return nextMail();
    };
    const first = await invite('acc_invite_A', 'invited@example.com');
    const page = await visit(pathOf(first));
    const changes = countChanges(page);
    await heading(page, 'Aurora Games invites you');
    await page.getByText('see what the creator account A earns at Aurora Games').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    await heading(page, 'Your earnings');
    expect(changes().filter((path) => path.endsWith('/accept'))).toHaveLength(1);
    const again = await visit(pathOf(first));
    await heading(again, 'This invitation can’t be used');
    await again.getByText('This invitation was already used. Sign in instead.').waitFor();

    const second = await invite('acc_invite_B', 'office@example.com');
    const own = await visitAs(await signedIn('own@example.com'), pathOf(second));
    await own
      .getByText('You’re signed in as own@example.com. The invitation was sent to office@example.com.')
      .waitFor();
    await own.getByRole('button', { name: 'Accept as own@example.com' }).click();
    await heading(own, 'Your earnings');
    await own.getByRole('link', { name: 'You', exact: true }).click();
    await own.getByText('own@example.com').waitFor();
    await own.getByText('Connected by invitation on').waitFor();
  });

  test('signs out, and leaves nothing behind on the phone', async () => {
    await makeGroup('leave');
    const person = await creator('leave@example.com', 'acc_leave_A');
    const page = await visitAs(person, '');
    await heading(page, 'Your earnings');
    await page.getByRole('link', { name: 'You', exact: true }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await heading(page, 'Sign in');
    expect(await person.get('/session')).toMatchObject({ status: 401 });
    await page.goBack();
    await heading(page, 'Sign in');
    expect(await page.getByText('leave@example.com').count()).toBe(0);
  });

  test('ends another session, whose page asks to sign in again and then goes on', async () => {
    await makeGroup('middle');
    const person = await creator('middle@example.com', 'acc_middle_A');
    const page = await visitAs(person, '/codes');
    await page.getByText('M-A').waitFor();
    const other = await visitAs(await signedIn('middle@example.com'), '/you');
    await other.getByRole('button', { name: /^Sign out on / }).click();
    await other.getByRole('button', { name: /^Sign out on / }).waitFor({ state: 'detached' });

    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByText('You were signed out').waitFor();
    const { code } = await requestCode(page, 'middle@example.com');
    await enterCode(page, code);
    await heading(page, 'Your earnings');
  });
});
