import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser.ts';
import { usePortalPages } from '../portal.ts';
import { faultsOf } from './expect-fits.ts';

const portal = await usePortalPages({ hasProviders: true });
const { visit, visitAs, nextMail, makeMember, creator, providers } = portal;

const heading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { name, exact: true }).waitFor();
const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

/** Enters the emailed code that confirms a change. */
async function confirm(page: Page, action: string): Promise<void> {
  await heading(page, 'Confirm it’s you');
  await page.getByLabel('Code', { exact: true }).fill((await nextMail()).code);
  await press(page, action);
}

describe.skipIf(!hasBrowser)('a creator', () => {
  test.each([
    ['twitch', 'Twitch'],
    ['youtube', 'YouTube'],
    ['discord', 'Discord'],
    ['aurora', 'Aurora account'],
    ['studio', 'Studio account'],
  ] as const)('adds %s, signs in with it on a new phone, and removes it', async (provider, name) => {
    const account = await makeMember('moba', `NOVA-${provider}`);
    const nova = await creator(`nova-${provider}@example.com`, account);
    providers()[provider].account = { id: `nova-${provider}`, name: 'nova_plays' };
    const page = await visitAs(nova, '/you');
    await page.getByRole('link', { name: 'Open sign-in' }).click();
    await press(page, `Add ${name}`);
    await confirm(page, `Continue to ${name}`);
    await page.getByText(`From now on, you can sign in with ${name}.`).waitFor();
    await page.getByText('nova_plays').waitFor();
    expect((await nextMail()).text).toContain('nova_plays');

    const phone = await visit('/enter');
    await press(phone, `Continue with ${name}`);
    await phone.getByRole('link', { name: 'Earnings' }).waitFor();
    expect(new URL(phone.url()).pathname).toBe('/creators');

    await page.getByRole('link', { name: `Remove ${name}: nova_plays` }).click();
    await press(page, 'Remove');
    await confirm(page, 'Remove');
    await heading(page, 'Sign-in');
    await page.getByText('nova_plays').waitFor({ state: 'detached' });
    await nextMail();
    // The phone is signed out, and the account is no longer known.
    await phone.goto(`${portal.service().url.replace('127.0.0.1', 'localhost')}/creators/you`);
    await heading(phone, 'Sign in');
    await press(phone, `Continue with ${name}`);
    await phone.getByRole('alert').getByText(`We don’t know this ${name} account yet`).waitFor();
    await phone.getByLabel('Email address').waitFor();
  });

  test('connects the account that a publisher names the channel for, or says that it isn’t theirs', async () => {
    const named = (name: string, id: string) =>
      makeMember('moba', name, `identities: [ { provider: twitch, id: ${id} } ]`);
    await named('LISTED', 'listed');
    const page = await visitAs(await portal.signedIn('listed@example.com'), '/');
    await page.getByText('The publisher knows your channel').waitFor();
    await page.getByRole('link', { name: 'Open sign-in' }).click();
    providers().twitch.account = { id: 'listed', name: 'listed_plays' };
    await press(page, 'Add Twitch');
    await confirm(page, 'Continue to Twitch');
    await page.getByText('Is LISTED at Aurora Games you?').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await nextMail();
    await press(page, 'Yes, connect it');
    await page.getByRole('link', { name: 'Earnings' }).waitFor();

    await named('WRONGLY', 'wrongly');
    const other = await visitAs(await portal.signedIn('wrongly@example.com'), '/sign-in');
    providers().twitch.account = { id: 'wrongly', name: 'wrongly_plays' };
    await press(other, 'Add Twitch');
    await confirm(other, 'Continue to Twitch');
    await nextMail();
    await press(other, 'No, that isn’t me');
    await other.getByText('Is WRONGLY').waitFor({ state: 'detached' });
    await other.reload();
    await heading(other, 'Sign-in');
    await other.getByText('wrongly_plays').waitFor();
    expect(await other.getByText('Is WRONGLY').count()).toBe(0);
  });

  test('adds a passkey, signs in with it, and removes it', async () => {
    const nova = await creator('nova-passkey@example.com', await makeMember('moba', 'NOVA-PASSKEY'));
    const page = await visitAs(nova, '/sign-in');
    const session = await page.context().newCDPSession(page);
    await session.send('WebAuthn.enable');
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await press(page, 'Add a passkey');
    await confirm(page, 'Continue');
    await heading(page, 'Create a passkey');
    await press(page, 'Create passkey');
    await page.getByText('Name is required.').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByLabel('Name').fill('My phone');
    await press(page, 'Create passkey');
    await heading(page, 'Sign-in');
    await page.getByText('My phone').waitFor();
    expect((await nextMail()).text).toContain('My phone');
    // The same device can't have a second one.
    await press(page, 'Add a passkey');
    await confirm(page, 'Continue');
    await page.getByLabel('Name').fill('Again');
    await press(page, 'Create passkey');
    await page.getByText('This device already has a passkey for you.').waitFor();
    await press(page, 'Cancel');

    await page.goto(page.url().replace('/sign-in', '/you'));
    await press(page, 'Sign out');
    await heading(page, 'Sign in');
    await press(page, 'Sign in with a passkey');
    await page.getByRole('link', { name: 'Earnings' }).waitFor();

    const [{ signInMethodId }] = (
      await portal.signedIn('nova-passkey@example.com').then((each) => each.get('/sign-in-methods'))
    ).body.rows;
    await page.goto(`${new URL(page.url()).origin}/creators/sign-in/${signInMethodId}`);
    await press(page, 'Remove');
    await confirm(page, 'Remove');
    await heading(page, 'Sign-in');
    await nextMail();
    await page.goto(page.url().replace('/sign-in', '/you'));
    await press(page, 'Sign out');
    await press(page, 'Sign in with a passkey');
    await page.getByRole('alert').getByText('This passkey isn’t known here').waitFor();
    // Without a passkey on the device, the page says so.
    await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
  });

  test('who cancels at the provider returns to the page, with nothing changed', async () => {
    const nova = await creator('cancels@example.com', await makeMember('moba', 'CANCELS'));
    const page = await visitAs(nova, '/sign-in');
    providers().twitch.denies = true;
    await press(page, 'Add Twitch');
    await confirm(page, 'Continue to Twitch');
    await page.getByText('You canceled, or Twitch refused. Nothing was changed.').waitFor();
    expect((await nova.get('/sign-in-methods')).body.rows).toEqual([]);
  });
});
