import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';
import { isSettled } from '../screens.ts';

const { open } = useDashboard();

function countWrites(page: Page): () => number {
  let writes = 0;
  page.on('request', (request) => {
    if (request.method() !== 'GET') writes += 1;
  });
  return () => writes;
}

const forms = [
  {
    path: 'creators?group=main',
    button: 'Add creator',
    field: 'Name',
    missing: 'Name is required.',
    submit: 'Add creator',
    also: { field: 'Code', typed: 'a b', message: 'Enter 2 to 32 letters, digits, _ or -.' },
  },
  {
    path: 'team',
    button: 'Invite',
    dialog: 'Invite colleague',
    field: 'Email',
    missing: 'Enter an email address, such as ines@example.com.',
    submit: 'Invite',
    also: { field: 'Email', typed: 'ines', message: 'Enter an email address, such as ines@example.com.' },
  },
  {
    path: 'webhooks',
    button: 'Add endpoint',
    field: 'URL',
    missing: 'Enter a URL, such as https://game.example/webhooks.',
    submit: 'Add endpoint',
    also: {
      field: 'URL',
      typed: 'game.example',
      message: 'Enter a URL, such as https://game.example/webhooks.',
    },
  },
];

for (const { path, button, dialog = button, field, missing, submit, also } of forms)
  test.skipIf(!hasBrowser)(
    `“${dialog}” shows missing or invalid input under its field, and sends nothing`,
    async () => {
      const page = await open('owner', `/p/aurora/${path}`);
      await isSettled(page);
      await page.getByRole('button', { name: button, exact: true }).first().click();
      const form = page.getByRole('dialog', { name: dialog });
      const input = form.getByRole('textbox', { name: field, exact: true });
      await input.focus();
      const writes = countWrites(page);
      await page.keyboard.press('Enter');
      await form.getByText(missing).waitFor();
      await input.and(page.locator(':focus')).waitFor();
      expect(await input.getAttribute('aria-invalid')).toBe('true');
      expect(await page.evaluate(`document.querySelector('[role=dialog] form').noValidate`)).toBe(true);
      await expectAccessible(page);

      await form.getByRole('textbox', { name: also.field, exact: true }).pressSequentially(also.typed);
      await form.getByRole('button', { name: submit, exact: true }).click();
      await form.getByText(also.message).waitFor();
      expect(writes(), 'requests that write').toBe(0);
    },
  );

test.skipIf(!hasBrowser)('does not create a key while its expiration date is half typed', async () => {
  const page = await open('owner', '/p/aurora/developers');
  await page.getByRole('button', { name: 'Create API key' }).click();
  const form = page.getByRole('dialog', { name: 'Create API key' });
  await form.getByRole('textbox', { name: 'Name' }).fill('game server');
  const date = form.getByLabel('Expiration date (UTC)');
  await date.focus();
  await page.keyboard.type('12');
  const writes = countWrites(page);
  await form.getByRole('button', { name: 'Create key' }).click();
  await form.getByText(/^Enter a date such as/).waitFor();
  await expectAccessible(page);
  await date.fill('2099-12-31');
  expect(await form.getByText(/^Enter a date such as/).count()).toBe(0);
  expect(writes(), 'requests that write').toBe(0);
});

test.skipIf(!hasBrowser)(
  'names the field of a mistake that only the service finds by its label',
  async () => {
    const page = await open('owner', '/p/aurora/webhooks');
    await page.route(/\/endpoints$/, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 400,
            json: {
              code: 'InvalidInput',
              message: 'url must be an http or https URL; events[0] must not be empty',
            },
          })
        : route.continue(),
    );
    await isSettled(page);
    await page.getByRole('button', { name: 'Add endpoint', exact: true }).first().click();
    const form = page.getByRole('dialog', { name: 'Add endpoint' });
    await form.getByRole('textbox', { name: 'URL', exact: true }).fill('https://game.example/webhooks');
    await form.getByRole('button', { name: 'Add endpoint' }).click();
    await form
      .getByText('URL must be an http or https URL. Events, entry 1, must not be empty.', { exact: true })
      .waitFor();
  },
);

test.skipIf(!hasBrowser)(
  'shows what the service rejected at the field that it is about, until it is changed',
  async () => {
    const page = await open('owner', '/p/aurora/creators?group=main');
    const form = page.getByRole('dialog', { name: 'Add creator' });
    const code = form.getByRole('textbox', { name: 'Code', exact: true });
    const submit = form.getByRole('button', { name: 'Add creator', exact: true });
    const fillIn = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'Add creator', exact: true }).first().click();
      await form.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
      await code.fill('TWICE');
      await submit.click();
    };
    await fillIn('First Twice');
    await page.getByText(/^First Twice added to/).waitFor();
    await page.goto(new URL('/p/aurora/creators?group=main', page.url()).href);
    await fillIn('Second Twice');
    const taken = form.getByText('The code TWICE belongs to another member; choose another code.', {
      exact: true,
    });
    await taken.waitFor();
    await code.and(page.locator(':focus')).waitFor();
    expect(await code.getAttribute('aria-invalid')).toBe('true');
    expect(await form.getByText('Couldn’t add the creator').count()).toBe(0);
    await expectAccessible(page);
    await code.press('End');
    await code.pressSequentially('2');
    await taken.waitFor({ state: 'detached' });
    await submit.click();
    await page.getByText(/^Second Twice added to/).waitFor();

    await page.goto(new URL('/p/aurora/shares?group=main&tab=tiers&open=new', page.url()).href);
    const tier = page.getByRole('dialog', { name: /tier/i });
    const name = tier.getByRole('textbox', { name: 'Name', exact: true });
    for (const attempt of [1, 2]) {
      await name.fill('Platinum');
      await tier.getByRole('textbox', { name: 'Share' }).fill('12');
      await tier.getByRole('button', { name: 'Create tier', exact: true }).click();
      if (attempt === 2) break;
      await tier.waitFor({ state: 'detached' });
      await page.goto(new URL('/p/aurora/shares?group=main&tab=tiers&open=new', page.url()).href);
    }
    await tier.getByText(/^Group main has another tier named Platinum/).waitFor();
    await name.and(page.locator(':focus')).waitFor();
    expect(await tier.getByText('Couldn’t save the changes').count()).toBe(0);
  },
);

test.skipIf(!hasBrowser)('shows a failure that is about no field of the form in a notice', async () => {
  const page = await open('owner', '/p/aurora/webhooks');
  await page.route(/\/endpoints$/, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 409,
          json: { code: 'Conflict', message: 'Too many endpoints.', path: ['somethingElse'] },
        })
      : route.continue(),
  );
  await isSettled(page);
  await page.getByRole('button', { name: 'Add endpoint', exact: true }).first().click();
  const form = page.getByRole('dialog', { name: 'Add endpoint' });
  await form.getByRole('textbox', { name: 'URL', exact: true }).fill('https://game.example/webhooks');
  await form.getByRole('button', { name: 'Add endpoint' }).click();
  await form.getByRole('alert').getByText('Too many endpoints.').waitFor();
});
