import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';

const { open } = useDashboard();

/** Counts what is sent to be saved. */
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
    button: 'Add a creator',
    field: 'Name',
    missing: 'Enter a name.',
    submit: 'Add',
    also: { field: 'Code', typed: 'a b', message: 'Enter 2 to 32 letters, digits, _ or -.' },
  },
  {
    path: 'team',
    button: 'Invite',
    dialog: 'Invite somebody',
    field: 'Email',
    missing: 'Enter an address such as ines@example.com.',
    submit: 'Invite',
    also: { field: 'Email', typed: 'ines', message: 'Enter an address such as ines@example.com.' },
  },
  {
    path: 'webhooks',
    button: 'Add an endpoint',
    field: 'Address',
    missing: 'Enter an address such as https://game.example/webhooks.',
    submit: 'Add',
    also: {
      field: 'Address',
      typed: 'game.example',
      message: 'Enter an address such as https://game.example/webhooks.',
    },
  },
];

for (const { path, button, dialog = button, field, missing, submit, also } of forms)
  test.skipIf(!hasBrowser)(
    `“${dialog}” says under its field what is missing or malformed, and sends nothing`,
    async () => {
      const page = await open('owner', `/p/aurora/${path}`);
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
      expect(writes(), 'requests that save').toBe(0);
    },
  );

test.skipIf(!hasBrowser)('a key whose last day is half typed is not made without one', async () => {
  const page = await open('owner', '/p/aurora/developers');
  await page.getByRole('button', { name: 'Make a key' }).click();
  const form = page.getByRole('dialog', { name: 'Make a key' });
  await form.getByRole('textbox', { name: 'Name' }).fill('game server');
  const date = form.getByLabel('Ends on (UTC day)');
  await date.focus();
  await page.keyboard.type('12');
  const writes = countWrites(page);
  await form.getByRole('button', { name: 'Make the key' }).click();
  await form.getByText('Enter the whole date, or none.').waitFor();
  await expectAccessible(page);
  await date.fill('2099-12-31');
  expect(await form.getByText('Enter the whole date, or none.').count()).toBe(0);
  expect(writes(), 'requests that save').toBe(0);
});
