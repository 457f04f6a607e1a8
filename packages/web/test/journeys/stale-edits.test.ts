import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { asRole } from '../../../server/test/admin.ts';
import { signIn } from '../../../server/test/staff.ts';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';

const { open, service } = useDashboard({ environment: { WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true' } });
const owner = () => asRole(service(), 'owner');

interface EditedForm {
  name: string;
  /** Creates the object to edit, and returns its path under the publisher's path. */
  path(): Promise<string>;
  /** Opens the form. Absent if loading the path already opens it. */
  open?(page: Page): Promise<void>;
  form(page: Page): Locator;
  edit(form: Locator, value: string): Promise<void>;
  /** Name of the field and its two values, as shown in the table of differences. */
  row: readonly [name: string, theirs: string, yours: string];
  theirs: string;
  yours: string;
}

const drawer = (name: string) => (page: Page) => page.getByRole('dialog', { name, exact: true });
const section = (name: string) => (page: Page) => page.getByRole('region', { name });
const fill = (label: string) => (form: Locator, value: string) => form.getByLabel(label).first().fill(value);
const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click();

const shares = { theirs: '21', yours: '22.5' };
const forms: readonly EditedForm[] = [
  {
    name: 'a tier',
    path: async () => 'shares?group=main&tab=tiers&open=7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90',
    form: drawer('Tier'),
    edit: fill('Share'),
    row: ['Share', '21%', '22.5%'],
    ...shares,
  },
  {
    name: 'a SKU share',
    path: async () => 'shares?group=main&tab=skus&open=battle-pass',
    form: drawer('SKU share'),
    edit: fill('Share'),
    row: ['Share', '21%', '22.5%'],
    ...shares,
  },
  {
    name: 'a group',
    path: async () => 'shares?tab=groups&open=main',
    form: drawer('Creator group'),
    edit: fill('Share'),
    row: ['Share', '21%', '22.5%'],
    ...shares,
  },
  {
    name: 'a schedule',
    async path() {
      const window = { startsAt: '2031-05-10T00:00:00Z', endsAt: '2031-05-20T00:00:00Z' };
      const terms = { groupId: 'main', ...window, revShare: 15, tierShares: [] };
      const { body } = await (await owner())('POST', '/schedules', terms);
      return `shares?group=main&from=2031-05-01T00:00:00.000Z&open=${body.scheduleId}`;
    },
    form: drawer('Schedule'),
    edit: fill('Share for all creators'),
    row: ['Share for all creators', '21%', '22.5%'],
    ...shares,
  },
  {
    name: 'a bounty',
    async path() {
      const { body } = await (await owner())('POST', '/bounties', {
        ...{ groupId: 'main', version: null, name: 'Ten sales', description: null, imageSrc: null },
        ...{ rewardDescription: null, limit: 1, startsAt: '2031-01-01T00:00:00Z', endsAt: null },
        prerequisites: [],
        objectives: [
          {
            name: 'Sell',
            type: 'Purchase',
            condition: 'Count',
            count: '10',
            currency: null,
            eventCode: null,
            skus: [],
          },
        ],
        rewards: [
          { name: 'A mug', type: 'External', amount: null, currency: null, sku: null, externalId: null },
        ],
      });
      return `bounties?group=main&tab=coming&open=${body.bountyId}`;
    },
    open: (page) => page.getByRole('tab', { name: 'Details' }).click(),
    form: (page) => page.getByRole('dialog'),
    edit: (form, value) =>
      form.getByRole('group', { name: 'Reward 1' }).getByLabel('Name', { exact: true }).fill(value),
    row: ['Reward 1', 'A cup, Delivered by you', 'A plate, Delivered by you'],
    theirs: 'A cup',
    yours: 'A plate',
  },
  {
    name: 'the terms of a group',
    path: async () => 'settings?open=main',
    form: drawer('Creator group'),
    edit: fill('Hold period'),
    row: ['Hold period', '45 days', '20 days'],
    theirs: '45',
    yours: '20',
  },
  {
    name: 'the publisher’s name',
    path: async () => 'settings',
    form: section('Publisher'),
    edit: fill('Name'),
    row: ['Name', 'Aurora Studios', 'Aurora Interactive'],
    theirs: 'Aurora Studios',
    yours: 'Aurora Interactive',
  },
  {
    name: 'a creator',
    path: async () => 'creators?group=main&open=main/acc_alice',
    open: press('Edit'),
    form: drawer('Edit Alice'),
    edit: fill('Player ID'),
    row: ['Player ID', 'p-11', 'p-12'],
    theirs: 'p-11',
    yours: 'p-12',
  },
  {
    name: 'an endpoint',
    async path() {
      const { body } = await (await owner())('POST', '/endpoints', { url: 'http://127.0.0.1:1/' });
      return `webhooks/${body.endpointId}`;
    },
    async open(page) {
      await press('More')(page);
      await page.getByRole('menuitem', { name: 'Edit' }).click();
    },
    form: drawer('Edit endpoint'),
    edit: fill('URL'),
    row: ['URL', 'http://127.0.0.1:1/two', 'http://127.0.0.1:1/three'],
    theirs: 'http://127.0.0.1:1/two',
    yours: 'http://127.0.0.1:1/three',
  },
  {
    name: 'a connector',
    async path() {
      const shop = { name: 'Shop', provider: 'generic' };
      const { body } = await (await owner())('POST', '/connectors', shop);
      return `connectors/${body.connectorId}?tab=settings`;
    },
    open: press('Edit settings'),
    form: drawer('Edit settings'),
    edit: fill('Order ID'),
    row: ['Order ID', '/number', '/order/number'],
    theirs: '/number',
    yours: '/order/number',
  },
  {
    name: 'a role',
    async path() {
      await signIn(service(), 'viewer', { name: 'Vera' });
      return 'team';
    },
    async open(page) {
      await press('Edit Vera')(page);
      await page.getByRole('menuitem', { name: 'Change role' }).click();
    },
    form: drawer('Change Vera’s role'),
    async edit(form, value) {
      await form.getByRole('combobox', { name: 'Role' }).click();
      await form.page().getByRole('option', { name: value }).click();
    },
    row: ['Role', 'Support', 'Finance'],
    theirs: 'Support',
    yours: 'Finance',
  },
  {
    name: 'the rules for the staff',
    path: async () => 'team?tab=rules',
    form: (page) => page.getByRole('tabpanel'),
    edit: (form, value) => form.getByRole('switch', { name: value }).press('Space'),
    row: ['Second person for payouts', 'Required', 'Not required'],
    theirs: 'Require a second person for payouts',
    yours: 'Require a second factor',
  },
];

const saveButton = (form: Locator) => form.getByRole('button', { name: /^(Save|Change role)$/ });
const notice = (form: Locator) => form.getByRole('group', { name: 'Someone else changed this first' });
/** Presses a save button, and returns the status of the response. */
const saving = async (form: Locator, button: Locator) => {
  const [response] = await Promise.all([
    // Estimating a schedule's cost also sends a POST.
    form
      .page()
      .waitForResponse((each) => each.request().method() !== 'GET' && !each.url().endsWith('/simulate')),
    button.click(),
  ]);
  return response.status();
};

/** Opens a form for two people, each in their own tab. The first person saves first. */
async function openStale({ path, open: show, form, edit, theirs, yours }: EditedForm, options = {}) {
  const at = `/p/aurora/${await path()}`;
  const [theirTab, yourTab] = [
    await open('owner', at, { hasSecondFactor: true }),
    await open('owner', at, { hasSecondFactor: true, ...options }),
  ];
  for (const page of [theirTab, yourTab]) await show?.(page);
  await edit(form(yourTab), yours);
  await edit(form(theirTab), theirs);
  expect(await saving(form(theirTab), saveButton(form(theirTab)))).toBe(200);
  expect(await saving(form(yourTab), saveButton(form(yourTab)))).toBe(409);
  await notice(form(yourTab)).waitFor();
  return { page: yourTab, form: form(yourTab) };
}

const cells = async (form: Locator, name: string) => {
  const row = notice(form)
    .getByRole('row')
    .filter({ has: form.page().getByRole('rowheader', { name, exact: true }) });
  return [name, ...(await row.getByRole('cell').allTextContents())];
};

describe.skipIf(!hasBrowser)('after a stale edit', () => {
  test.each(forms)('$name shows both versions, and saves yours over theirs', async (edited) => {
    const { form } = await openStale(edited);
    expect(await cells(form, edited.row[0])).toEqual(edited.row);
    expect(await saving(form, form.getByRole('button', { name: 'Save my changes' }))).toBe(200);
    await notice(form).waitFor({ state: 'detached' });
  });

  const creator: EditedForm = {
    name: 'a creator',
    path: async () => 'creators?group=main&open=main/acc_bob',
    open: press('Edit'),
    form: drawer('Edit Bob'),
    edit: fill('Name'),
    row: ['Name', 'Robert', ''],
    theirs: 'Robert',
    yours: 'Bobby',
  };

  test('yours is checked before it is saved, and theirs can be used, on a phone', async () => {
    const { page, form } = await openStale(creator, { size: { width: 360, height: 740 } });
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    const requests: string[] = [];
    page.on('request', (request) => request.method() !== 'GET' && requests.push(request.url()));
    await form.getByLabel('Name').fill('');
    expect(await cells(form, 'Name')).toEqual(['Name', 'Robert', '–']);
    await form.getByRole('button', { name: 'Save my changes' }).click();
    await form.getByText('Name is required.').waitFor();
    expect(requests).toEqual([]);

    await form.getByRole('button', { name: 'Use saved values' }).click();
    await notice(form).waitFor({ state: 'detached' });
    expect(await form.getByLabel('Name').inputValue()).toBe('Robert');
    // There are no unsaved changes to discard.
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
  });

  test('an untouched form on the same page shows the new version, and saves over it', async () => {
    const page = await open('owner', '/p/aurora/settings', { hasSecondFactor: true });
    const [name, buyers] = [section('Publisher')(page), section('Buyer data')(page)];
    await fill('Name')(name, 'Aurora Worldwide');
    expect(await saving(name, saveButton(name))).toBe(200);
    await buyers.getByLabel('Remove buyer data').press('Space');
    await saveButton(buyers).click();
    const question = page.getByRole('dialog', { name: /^Remove buyer data after/ });
    await question.getByLabel('Type 365 to confirm').fill('365');
    expect(await saving(question, question.getByRole('button', { name: 'Remove buyer data' }))).toBe(200);
    const { body } = await (await owner())('GET', '/settings');
    expect(body).toMatchObject({ name: 'Aurora Worldwide', forgetBuyersAfterDays: 365 });
  });
});
