import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { asRole } from '../../../server/test/admin.ts';
import { hasBrowser, useDashboard } from '../browser.ts';
import { isSettled } from '../screens.ts';

const { open, service } = useDashboard();

const question = (page: Page) => page.getByRole('dialog', { name: 'Discard your changes?' });
const keep = (page: Page) => question(page).getByRole('button', { name: 'Keep editing' }).click();
const discard = (page: Page) => question(page).getByRole('button', { name: 'Discard changes' }).click();
/** Clicks the page outside a drawer or dialog. */
const clickOutside = (page: Page) => page.mouse.click(5, 400);

interface FilledForm {
  name: string;
  path: string;
  dialog: string;
  /** Opens the form. Absent if loading the path already opens it. */
  open?(page: Page): Promise<void>;
  fill(page: Page): Promise<void>;
  isFilled(page: Page): Promise<boolean>;
}

const text = (label: string, value: string): Pick<FilledForm, 'fill' | 'isFilled'> => ({
  fill: (page) => page.getByRole('dialog').getByLabel(label).first().fill(value),
  isFilled: async (page) => (await page.getByRole('dialog').getByLabel(label).first().inputValue()) === value,
});
const press = (name: string | RegExp) => async (page: Page) => {
  await isSettled(page);
  await page.getByRole('button', { name, exact: true }).first().click();
};

const forms: readonly FilledForm[] = [
  {
    name: 'a schedule',
    path: 'shares?group=main&open=new',
    dialog: 'Create schedule',
    ...text('Share for all creators', '12.5'),
  },
  {
    name: 'a tier',
    path: 'shares?group=main&tab=tiers&open=new',
    dialog: 'Create tier',
    ...text('Name', 'Iron'),
  },
  {
    name: 'a SKU',
    path: 'shares?group=main&tab=skus&open=new',
    dialog: 'Create SKU share',
    ...text('SKU', 'x'),
  },
  { name: 'a group', path: 'shares?tab=groups&open=new', dialog: 'Create group', ...text('Id', 'x') },
  { name: 'a bounty', path: 'bounties?group=main&open=new', dialog: 'Create bounty', ...text('Name', 'Ten') },
  {
    name: 'a group’s terms',
    path: 'settings?open=main',
    dialog: 'Creator group',
    ...text('Hold period', '31'),
  },
  {
    name: 'a creator',
    path: 'creators?group=main',
    dialog: 'Add creator',
    open: press('Add creator'),
    ...text('Name', 'Nova'),
  },
  {
    name: 'an endpoint',
    path: 'webhooks',
    dialog: 'Add endpoint',
    open: press('Add endpoint'),
    ...text('URL', 'https://game.example/hooks'),
  },
  {
    name: 'a key',
    path: 'developers',
    dialog: 'Create API key',
    open: press('Create API key'),
    ...text('Name', 'game server'),
  },
  {
    name: 'an invitation',
    path: 'team',
    dialog: 'Invite colleague',
    open: press('Invite'),
    ...text('Email', 'kim@aurora.example'),
  },
  {
    name: 'a token',
    path: 'team?tab=tokens',
    dialog: 'Create operator token',
    open: press('Create token'),
    ...text('Name', 'nightly'),
  },
];

describe.skipIf(!hasBrowser)('a form with unsaved changes asks before it closes', () => {
  test.each(forms)('$name', async ({ path, dialog, open: press, fill, isFilled }) => {
    const page = await open('owner', `/p/aurora/${path}`);
    const form = page.getByRole('dialog', { name: dialog, exact: true });
    const opened = async () => {
      await press?.(page);
      await form.getByRole('textbox').first().waitFor();
    };
    await opened();
    await fill(page);
    for (const leave of [() => page.keyboard.press('Escape'), () => clickOutside(page)]) {
      await leave();
      await question(page).waitFor();
      await keep(page);
      await question(page).waitFor({ state: 'detached' });
      expect(await isFilled(page)).toBe(true);
    }
    // Esc closes only the question.
    await page.keyboard.press('Escape');
    await question(page).waitFor();
    await page.keyboard.press('Escape');
    await question(page).waitFor({ state: 'detached' });
    expect(await isFilled(page)).toBe(true);

    await page.keyboard.press('Escape');
    await discard(page);
    await form.waitFor({ state: 'detached' });

    if (press === undefined) await page.goto(`${service().url}/p/aurora/${path}`);
    await opened();
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    expect(await question(page).count()).toBe(0);
  });

  test('on Back or a shortcut of the list behind, but not for a question on top of it', async () => {
    const page = await open('manager', '/p/aurora/shares?group=main&tab=tiers');
    await page.getByRole('button', { name: 'Open Gold' }).click();
    const form = page.getByRole('dialog', { name: 'Tier', exact: true });
    const share = form.getByLabel('Share');
    await share.fill('33');
    const address = page.url();
    await page.goBack();
    await question(page).waitFor();
    await keep(page);
    await expect.poll(() => page.url()).toBe(address);
    expect(await share.inputValue()).toBe('33');
    await form.getByRole('button', { name: 'Save' }).focus();
    await page.keyboard.press('c');
    await question(page).waitFor();
    await keep(page);
    expect(await share.inputValue()).toBe('33');
    await page.goBack();
    await discard(page);
    await form.waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.has('open')).toBe(false);

    await page.getByRole('tab', { name: 'SKU shares' }).click();
    const ask = await asRole(service(), 'manager');
    await ask('PUT', '/sku-shares', { groupId: 'main', skuId: 'cape', version: null, revShare: 3 });
    await page.reload();
    await page.getByRole('button', { name: 'Open cape' }).click();
    const sku = page.getByRole('dialog', { name: 'SKU share', exact: true });
    await sku.getByLabel('Share').fill('4');
    await sku.getByRole('button', { name: 'Remove' }).click();
    const removal = page.getByRole('dialog', { name: 'Remove the share for cape?' });
    await removal.waitFor();
    await page.keyboard.press('Escape');
    await removal.waitFor({ state: 'detached' });
    expect(await question(page).count()).toBe(0);
    expect(await sku.getByLabel('Share').inputValue()).toBe('4');
  });
});

describe.skipIf(!hasBrowser)('a saved row is named and shown', () => {
  const shownRow = (page: Page, name: string) => page.locator('tr[data-shown]').filter({ hasText: name });

  test('for a schedule, even outside the drawn range', async () => {
    const page = await open('manager', '/p/aurora/shares?group=main');
    for (const [from, until, day] of [
      ['2034-01-02T00:00', '2034-01-04T00:00', '2 Jan 2034'],
      ['2021-05-01T00:00', '2021-05-02T00:00', '1 May 2021'],
    ] as const) {
      await isSettled(page);
      await page.getByRole('button', { name: 'Create schedule' }).first().click();
      await page.getByLabel('Starts at').fill(from);
      await page.getByLabel('Ends at').fill(until);
      await page.getByRole('dialog').getByRole('button', { name: 'Create schedule' }).click();
      await page.getByRole('status').filter({ hasText: 'added' }).filter({ hasText: day }).waitFor();
      await shownRow(page, day).waitFor();
      // The timeline shows the schedule, too.
      await page.locator(`button[title*="${day}"]`).first().waitFor();
    }
  });

  test('for a bounty, on its new tab', async () => {
    const page = await open('manager', '/p/aurora/bounties?group=main');
    await isSettled(page);
    await page.getByRole('button', { name: 'Create bounty' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').first().fill('Later');
    await page.getByLabel('Starts at').fill('2034-01-02T00:00');
    await page.getByRole('group', { name: 'Objective 1' }).getByLabel('Name').fill('Sell');
    await page.getByRole('group', { name: 'Reward 1' }).getByLabel('Name').fill('A mug');
    await page.getByRole('dialog').getByRole('button', { name: 'Create bounty' }).click();
    await page.getByRole('status').filter({ hasText: 'Bounty Later created' }).waitFor();
    await shownRow(page, 'Later').waitFor();
    expect(await page.getByRole('tab', { name: 'Upcoming' }).getAttribute('aria-selected')).toBe('true');
    // Input is kept while the Progress tab is shown.
    await page.getByRole('button', { name: 'Open Later' }).click();
    await page.getByRole('tab', { name: 'Details' }).click();
    await page.getByRole('dialog').getByLabel('Name').first().fill('Latest');
    await page.getByRole('tab', { name: 'Progress' }).click();
    await page.getByRole('tab', { name: 'Details' }).click();
    expect(await page.getByRole('dialog').getByLabel('Name').first().inputValue()).toBe('Latest');
  });

  test('for a tier, scrolled into view', async () => {
    const ask = await asRole(service(), 'manager');
    for (let n = 10; n < 40; n += 1)
      await ask('POST', '/tiers', { groupId: 'main', name: `Tier ${n}`, revShare: n });
    const page = await open('manager', '/p/aurora/shares?group=main&tab=tiers');
    await isSettled(page);
    await page.getByRole('button', { name: 'Create tier' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').fill('Tier 99');
    await page.getByRole('dialog').getByLabel('Share').fill('9');
    await page.getByRole('dialog').getByRole('button', { name: 'Create tier' }).click();
    await page.getByRole('status').filter({ hasText: 'Tier 99 created' }).waitFor();
    const row = shownRow(page, 'Tier 99');
    await row.waitFor();
    const box = await row.boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect(box?.y).toBeLessThan(800);
  });
});
