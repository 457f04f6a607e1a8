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
  mayFail: true, // answers of 401 and 503 are written to the console
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

describe.skipIf(!hasBrowser)('a provider that lets somebody else in', () => {
  beforeAll(async () => {
    await invited(email);
  });
  const goThere = async (sub: string, { address = email, size = phone } = {}): Promise<Page> => {
    provider.person = { sub, email: address, email_verified: true };
    const page = await openAs(null, '/sign-in', { size });
    await page.getByRole('button', { name: 'Sign in with Aurora accounts' }).click();
    return page;
  };

  test('as another person of the same address, or whom nobody invited, leads to the sign-in page, which says why', async () => {
    const first = await goThere('first');
    await first.getByText('You are signed in as shared.').waitFor();

    const second = await goThere('second');
    const alert = second.getByRole('alert');
    await alert.getByText('This address belongs to another person of the provider').waitFor();
    expect(await second.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(phone.width);
    await expectAccessible(second);

    const stranger = await goThere('third', { address: 'stranger@example.com' });
    await stranger
      .getByRole('alert')
      .getByText('The provider let nobody in whom this service knows')
      .waitFor();
  });

  test('while the database takes no session, says that the service is busy', async () => {
    const owner = await connect(service().testDatabase.ownerConnection);
    await owner.query('alter table staff_session add constraint none check (false) not valid');
    const page = await goThere('first');
    const alert = page.getByRole('alert');
    await alert
      .getByText('The service is busy. Try again in a few seconds.')
      .waitFor()
      .finally(() => owner.query('alter table staff_session drop constraint none'));
    expect(new URL(page.url()).pathname).toBe('/sign-in');
  });
});

test.skipIf(!hasBrowser)('who joined and could not be signed in reads so, and signs in there', async () => {
  const { token } = await invited('half@example.com');
  const page = await openAs(null, `/invitation#${token}`, { size: phone });
  await page.getByLabel('Your name').pressSequentially('Ines');
  await page.getByLabel('New password').pressSequentially('correct horse battery');
  const owner = await connect(service().testDatabase.ownerConnection);
  await owner.query('alter table staff_session add constraint none check (false) not valid');
  await page.getByRole('button', { name: 'Accept the invitation' }).click();
  const status = page.getByRole('status').filter({ hasText: 'You have joined' });
  await status
    .getByText('Sign in now with the password that you chose.')
    .waitFor()
    .finally(() => owner.query('alter table staff_session drop constraint none'));
  await expectAccessible(page);
  expect(await page.getByText('The invitation is good until').count()).toBe(0);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(phone.width);

  // Its form says in words what is missing, too; the browser's own bubble would be no element of the page.
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('Enter your password.').waitFor();
  await page.keyboard.type('correct horse battery');
  await page.keyboard.press('Enter');
  await page.getByRole('banner').getByText('Aurora Games').waitFor();
});
