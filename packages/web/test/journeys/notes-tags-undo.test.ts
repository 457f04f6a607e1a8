import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { asRole } from '../../../server/test/admin.ts';
import { hasBrowser, useDashboard } from '../browser.ts';

const { open, service } = useDashboard();

beforeAll(async () => {
  if (!hasBrowser) return;
  const members = ['Aurora Fox', 'Blue Owl', 'Cedar Elk'].map(
    (name, index) => `{ id: crew-${index}, name: ${name}, codes: [ { code: CREW-${index} } ] }`,
  );
  await service().provision(
    `{ publisher: { id: aurora }, groups: [ { id: crew, name: Crew, revShare: 10, tiers: [ { name: Silver, revShare: 30 }, { name: Bronze, revShare: 20 } ], members: [ ${members.join(', ')} ] } ] }`,
  );
});

const drawer = (page: Page) => page.getByRole('dialog', { name: /Creator/ });
const toast = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text });

test.skipIf(!hasBrowser)('a note is written, edited by its author, removed and restored', async () => {
  const page = await open('support', '/p/aurora/creators?group=crew&open=crew/crew-0', {
    name: 'Sam Support',
  });
  const notes = drawer(page).getByRole('region', { name: 'Notes' });
  await notes.getByRole('button', { name: 'Add note' }).click();
  await notes.getByRole('textbox').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('Wants a contract.');
  await notes.getByRole('button', { name: 'Add note' }).click();
  await toast(page, 'Note on Aurora Fox added').waitFor();
  await notes.getByText('Sam Support').waitFor();
  await notes.getByRole('button', { name: 'Edit the note by Sam Support' }).click();
  await notes.getByLabel('Edit note').fill('Has a contract.');
  await notes.getByRole('button', { name: 'Save' }).click();
  await notes.getByText('Has a contract.').waitFor();
  await notes.getByRole('button', { name: 'Remove the note by Sam Support' }).click();
  await notes.getByText('No notes yet').waitFor();
  await toast(page, 'Note on Aurora Fox removed').getByRole('button', { name: 'Undo' }).click();
  await notes.getByText('Has a contract.').waitFor();
  await toast(page, 'Note on Aurora Fox restored').waitFor();

  // A viewer sees that there is a note, but not its text.
  const viewer = await open('viewer', '/p/aurora/creators?group=crew&open=crew/crew-0');
  await drawer(viewer).getByText('Your role can’t see notes').waitFor();
  expect(await drawer(viewer).getByRole('button', { name: 'Add note' }).count()).toBe(0);
});

test.skipIf(!hasBrowser)('creators are tagged in bulk, found by tag, and untagged by an Undo', async () => {
  const page = await open('manager', '/p/aurora/creators?group=crew');
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).click();
  const bar = page.getByRole('region', { name: 'Selected creators' });
  await bar.getByRole('button', { name: 'Add tag' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a tag to 3 creators?' });
  await dialog.getByRole('button', { name: 'Add tag' }).click();
  await dialog.getByText('Tag is required.').waitFor();
  await dialog.getByLabel('Tag').fill('Fair 2026');
  await dialog.getByRole('button', { name: 'Add tag' }).click();
  await toast(page, '3 creators now have the tag Fair 2026').waitFor();
  // An owner takes the tag away from one of them in the meantime.
  const owner = await asRole(service(), 'owner');
  await owner('POST', '/members/bulk/tag', {
    members: [{ memberId: 'crew-1', groupId: 'crew' }],
    tag: 'Fair 2026',
    isTagged: false,
  });
  await page.keyboard.press('Control+z');
  await toast(page, 'Undone for 2 of 3 creators. The rest were changed again since').waitFor();
  await owner('POST', '/members/bulk/tag', {
    members: [{ memberId: 'crew-1', groupId: 'crew' }],
    tag: 'Fair 2026',
    isTagged: true,
  });
  await page.reload();
  await page.getByLabel('Tag', { exact: true }).selectOption('Fair 2026 (1)');
  await page.getByRole('button', { name: 'Open Blue Owl' }).waitFor();
  await expect.poll(() => page.getByRole('button', { name: /^Open / }).count()).toBe(1);
  expect(new URL(page.url()).searchParams.get('tag')).not.toBeNull();

  await page.getByRole('button', { name: 'Edit tags' }).click();
  const tags = page.getByRole('dialog', { name: 'Edit tags' });
  await tags.getByRole('button', { name: 'Rename Fair 2026' }).click();
  await tags.getByLabel('Name').fill('Fair');
  await tags.getByRole('button', { name: 'Rename' }).click();
  await toast(page, 'Tag Fair 2026 renamed to Fair for 1 creator').waitFor();
  await tags.getByRole('button', { name: 'Remove Fair' }).click();
  await page
    .getByRole('dialog', { name: 'Remove the tag Fair?' })
    .getByRole('button', { name: 'Remove tag' })
    .click();
  await toast(page, 'Tag Fair removed from 1 creator').getByRole('button', { name: 'Undo' }).click();
  await toast(page, 'Tag Fair restored').waitFor();
  await tags.getByText('1 creator').waitFor();
});

test.skipIf(!hasBrowser)(
  'letters typed right after "Add tag" are all in the field, before and after its suggestions are loaded',
  async () => {
    const page = await open('manager', '/p/aurora/creators?group=crew&open=crew/crew-1');
    let load = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => {
      load = resolve;
    });
    await page.route(/\/assets\/tag-input-[^/]*\.js/, async (route) => {
      await isAsked;
      await route.continue();
    });
    await drawer(page).getByRole('button', { name: 'Add tag' }).click();
    // As shortcuts, G and O would open Overview, and J the next creator.
    for (const letter of 'go-j') await page.keyboard.press(letter);
    const field = drawer(page).getByLabel('Tag', { exact: true });
    expect(await field.inputValue()).toBe('go-j');
    expect(await field.getAttribute('aria-haspopup'), 'no suggestions yet').toBeNull();
    load();
    await field.and(page.locator('[aria-haspopup=listbox]:focus')).waitFor();
    await page.keyboard.type('am');
    expect(await field.inputValue()).toBe('go-jam');
    expect(new URL(page.url()).searchParams.get('open')).toBe('crew/crew-1');
    await page.keyboard.press('Enter');
    await toast(page, 'Blue Owl now has the tag go-jam').waitFor();
  },
);

test.skipIf(!hasBrowser)('an Undo waits while it has the focus, and reports a newer change', async () => {
  const page = await open('manager', '/p/aurora/creators?group=crew&open=crew/crew-2');
  await drawer(page).getByRole('button', { name: 'Edit', exact: true }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Cedar Elk' });
  await edit.getByLabel('Tier').selectOption('Silver · 30%');
  await edit.getByRole('button', { name: 'Save' }).click();
  const offer = toast(page, 'Cedar Elk moved to Silver');
  const undo = offer.getByRole('button', { name: 'Undo' });
  await undo.waitFor();
  await page.waitForTimeout(500); // the closing dialog gives the focus back
  await undo.focus();
  await page.waitForTimeout(8_500);
  expect(await undo.isVisible()).toBe(true);
  const owner = await asRole(service(), 'owner');
  await owner('POST', '/members/bulk/tier', {
    members: [{ memberId: 'crew-2', groupId: 'crew' }],
    tier: 'Bronze',
  });
  await page.keyboard.press('Enter');
  await toast(page, 'Couldn’t undo because this was changed again since').waitFor();
  await drawer(page).getByText('Bronze').waitFor();
});

test.skipIf(!hasBrowser)('a share is named when it changes, and given back by an Undo', async () => {
  const page = await open('manager', '/p/aurora/shares?group=crew&tab=tiers');
  await page.getByRole('button', { name: 'Open Silver' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Share').fill('35');
  await form.getByRole('button', { name: 'Save' }).click();
  await toast(page, 'Silver now earns 35%').waitFor();
  await page.keyboard.press('Control+z');
  await toast(page, 'Undone').waitFor();
  await page.getByRole('row', { name: /Silver.*30%/ }).waitFor();

  // A product's share, removed and restored.
  const owner = await asRole(service(), 'owner');
  await owner('PUT', '/sku-shares', { groupId: 'crew', skuId: 'hat', revShare: 12, version: null });
  await page.getByRole('tab', { name: 'SKU shares' }).click();
  await page.getByRole('button', { name: 'Open hat' }).click();
  await form.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove share' }).click();
  await toast(page, 'Share for hat removed').getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('row', { name: /hat.*12%/ }).waitFor();
});
