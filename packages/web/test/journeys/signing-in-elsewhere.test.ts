import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { invite } from '../../../server/src/accounts/people/invite.ts';
import { startOidcProvider } from '../../../server/test/oidc-provider.ts';
import { testActor } from '../../../server/test/test-actor.ts';
import { connect } from '../../../server/test/test-database.ts';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';

const provider = await startOidcProvider();
afterAll(() => provider.close());
const { service, openAs } = useDashboard({
  environment: {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    OIDC_NAME: 'Aurora accounts',
  },
  mayFail: true, // the browser logs the 401 and 503 responses
});
const email = 'shared@example.com';
const phone = { width: 360, height: 740 };

const invited = (address: string) =>
  invite(
    service().testDatabase.database.db,
    testActor,
    { publisherId: 'aurora', email: address, role: 'viewer' },
    new Date(),
  );

describe.skipIf(!hasBrowser)('signing in with a provider', () => {
  beforeAll(async () => {
    await invited(email);
  });
  const signInAs = async (sub: string, { address = email, size = phone } = {}): Promise<Page> => {
    provider.person = { sub, email: address, email_verified: true };
    const page = await openAs(null, '/sign-in', { size });
    await page.getByRole('button', { name: 'Sign in with Aurora accounts' }).click();
    return page;
  };

  test('explains on the sign-in page why another account with the same address, or one without an invitation, is rejected', async () => {
    const first = await signInAs('first');
    await first.getByText('You’re signed in as shared.').waitFor();

    const second = await signInAs('second');
    const alert = second.getByRole('alert');
    await alert
      .getByText('At the sign-in provider, this email address now belongs to a different account')
      .waitFor();
    expect(await second.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(phone.width);
    await expectAccessible(second);

    const uninvited = await signInAs('third', { address: 'uninvited@example.com' });
    await uninvited
      .getByRole('alert')
      .getByText('Your account at this sign-in provider doesn’t have access')
      .waitFor();
  });

  test('says that the service is busy while the database rejects sessions', async () => {
    const owner = await connect(service().testDatabase.ownerConnection);
    await owner.query('alter table staff_session add constraint none check (false) not valid');
    const page = await signInAs('first');
    const alert = page.getByRole('alert');
    await alert
      .getByText('The service is busy. Try again in a few seconds.')
      .waitFor()
      .finally(() => owner.query('alter table staff_session drop constraint none'));
    expect(new URL(page.url()).pathname).toBe('/sign-in');
  });
});

test.skipIf(!hasBrowser)('lets a person sign in who has joined but could not be signed in', async () => {
  const { token } = await invited('half@example.com');
  const page = await openAs(null, `/invitation#${token}`, { size: phone });
  await page.getByLabel('Your name').pressSequentially('Ines');
  await page.getByLabel('New password').pressSequentially('correct horse battery');
  const owner = await connect(service().testDatabase.ownerConnection);
  await owner.query('alter table staff_session add constraint none check (false) not valid');
  await page.getByRole('button', { name: 'Accept invitation' }).click();
  const status = page.getByRole('status').filter({ hasText: 'You’ve joined' });
  await status
    .getByText('Sign in with the password you chose.')
    .waitFor()
    .finally(() => owner.query('alter table staff_session drop constraint none'));
  await expectAccessible(page);
  expect(await page.getByText('The invitation expires').count()).toBe(0);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(phone.width);

  // The form shows its own message; the browser's bubble isn't part of the page.
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('Password is required.').waitFor();
  await page.keyboard.type('correct horse battery');
  await page.keyboard.press('Enter');
  await page.getByRole('banner').getByText('Aurora Games').waitFor();
});
