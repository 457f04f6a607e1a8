import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser.ts';
import { usePortalPages } from '../portal.ts';

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
    ['oidc', 'Aurora account'],
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

    await page.getByRole('link', { name: 'Remove' }).click();
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
