import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '../../../server/src/accounts/roles.ts';
import { publishEvents } from '../../../server/src/webhooks/publish-events.ts';
import { asRole } from '../../../server/test/admin.ts';
import { addEndpoint, failFirstAttempts } from '../../../server/test/endpoints.ts';
import { purchase } from '../../../server/test/fixtures.ts';
import { settleAll } from '../../../server/test/money.ts';
import { payElsewhere } from '../../../server/test/row-money.ts';
import { hasBrowser, useDashboard } from '../browser.ts';
import { countClicks } from '../clicks.ts';
import { isSettled } from '../screens.ts';

// Counts the clicks, from the landing screen, for each weekly job of each kind of user. A job that takes more than its
// maximum fails. docs/adr/0087-scores-of-the-dashboard.md lists the numbers.

const { open, service, keys } = useDashboard({ environment: { WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true' } });

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const screen = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name, exact: true }).click();
const dialog = (page: Page) => page.getByRole('dialog').last();
/** Searches, and opens the first result once the result with the given description appears. */
const openFound = async (page: Page, text: string, description: RegExp): Promise<void> => {
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search' }).pressSequentially(text);
  await page.getByRole('dialog').getByText(description).first().waitFor();
  await page.keyboard.press('Enter');
};

beforeAll(async () => {
  if (!hasBrowser) return;
  const applicants = Array.from({ length: 3 }, (_, n) => `{ id: new-${n}, name: New ${n}, status: Pending }`);
  await service().provision(`{ publisher: { id: aurora }, groups: [
    { id: crew, name: Crew, revShare: 10, holdDays: 0, tiers: [ { name: Silver, revShare: 30 } ],
      members: [ ${applicants.join(', ')}, { id: old, name: Olga, codes: [ { code: OLGA } ] } ] } ] }`);
  const record = (json: unknown, key = keys().backend) =>
    service().call('POST', '/v1/attributions/transactions', { key, json });
  await record(purchase({ transactionId: 'order-refund', subtotal: 5_000 }));
  await record(purchase({ transactionId: 'order-new', transactionDate: new Date().toISOString() }));
  await record(purchase({ transactionId: 'order-cent', subtotal: 999 }));
  await record(purchase({ code: 'NOBODY' }));
  await record(purchase({ transactionId: 'order-paid', subtotal: 5_000 }));
  const { db } = service().testDatabase.database;
  await settleAll(db);
  const { body } = await (await asRole(service(), 'finance'))('GET', '/transactions/order-paid');
  await payElsewhere(db, body.rows[0].row.attributionId);
  for (const name of ['hook', 'failing'])
    await addEndpoint(db, 'aurora', `http://127.0.0.1:1/${name}`, ['GroupManagement/NewMember']);
  await publishEvents(db, 'aurora', [{ kind: 'GroupManagement/NewMember', event: { memberId: 'acc_new' } }]);
  await db
    .updateTable('webhook_endpoint')
    .set({ failing_since: new Date() })
    .where('url', 'like', '%/failing')
    .execute();
  await failFirstAttempts(db, '%/failing');
});

interface Job {
  who: Role;
  job: string;
  max: number;
  steps(page: Page): Promise<unknown>;
}

const jobs: readonly Job[] = [
  // Before the jobs that send these events again.
  {
    who: 'developer',
    job: 'sees why deliveries to an endpoint fail',
    max: 2,
    async steps(page) {
      await button(page, /needs? attention$/).click();
      await page.getByRole('menuitem', { name: /failing/ }).click();
      await page.getByText('http://127.0.0.1:1/failing', { exact: true }).waitFor();
      await page.getByRole('dialog', { name: 'Delivery' }).getByText('no room left').waitFor();
    },
  },
  {
    who: 'manager',
    job: 'approves all applicants',
    max: 5,
    async steps(page) {
      await screen(page, 'Creators');
      await page.getByRole('tab', { name: /^Pending/ }).click();
      await page.getByRole('checkbox', { name: 'Select all rows on this page' }).click();
      await button(page, 'Approve').click();
      await dialog(page).getByRole('button', { name: 'Approve' }).click();
      await page.getByText('4 creators approved').first().waitFor();
    },
  },
  {
    who: 'manager',
    job: 'plans a schedule',
    max: 3,
    async steps(page) {
      await screen(page, 'Shares');
      await isSettled(page);
      await button(page, 'Create schedule').first().click();
      await page.getByLabel('Starts at').fill('2031-06-14 00:00');
      await page.getByLabel('Ends at').fill('2031-06-16 00:00');
      await page.getByLabel('Share for all creators').fill('20');
      await dialog(page).getByRole('button', { name: 'Create schedule' }).click();
      await page
        .getByText(/14 Jun 2031/)
        .first()
        .waitFor();
    },
  },
  {
    who: 'manager',
    job: 'sets the tier of a pasted list of codes',
    max: 4,
    async steps(page) {
      await screen(page, 'Creators');
      await button(page, 'Edit many…').click();
      await dialog(page).getByLabel('Group').selectOption('crew');
      await dialog(page).getByLabel('Codes, IDs, or names').fill('OLGA');
      await button(page, 'Set tier for 1').click();
      await dialog(page).getByLabel('Tier').selectOption('Silver');
      await dialog(page).getByRole('button', { name: 'Set tier' }).click();
      await page.getByText('Tier set for 1 creator').waitFor();
    },
  },
  {
    who: 'manager',
    job: 'creates a bounty',
    max: 2,
    async steps(page) {
      await screen(page, 'Bounties');
      await page.getByText('No running bounties').waitFor();
      await page.keyboard.press('c');
      await dialog(page).getByLabel('Name').first().fill('Ten sales');
      const objective = dialog(page).getByRole('group', { name: 'Objective 1' });
      await objective.getByLabel('Name').fill('Sell ten');
      await dialog(page).getByRole('group', { name: 'Reward 1' }).getByLabel('Name').fill('A mug');
      await dialog(page).getByRole('button', { name: 'Create bounty' }).click();
      await page.getByRole('table', { name: 'Bounties' }).getByText('Ten sales').waitFor();
    },
  },
  {
    who: 'manager',
    job: 'sees who rises',
    max: 0,
    async steps(page) {
      await page.getByRole('region', { name: 'Rising creators' }).getByText('Alice').waitFor();
    },
  },
  {
    who: 'finance',
    job: 'explains a cent',
    max: 1,
    async steps(page) {
      await openFound(page, 'order-cent', /^Purchase · /);
      await page.getByText('6. Group default').waitFor();
    },
  },
  {
    who: 'finance',
    job: 'finds who owes money',
    max: 2,
    async steps(page) {
      await screen(page, 'Payouts');
      await page.getByRole('link', { name: 'Balances' }).click();
      await page.getByRole('table', { name: 'Balances' }).waitFor();
    },
  },
  {
    who: 'finance',
    job: 'downloads the files of a month',
    max: 3,
    async steps(page) {
      await screen(page, 'Payouts');
      await page.getByRole('link', { name: 'Month', exact: true }).click();
      const downloading = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download month-end files' }).click();
      await downloading;
    },
  },
  {
    who: 'finance',
    job: 'claws back a paid purchase',
    max: 3,
    async steps(page) {
      await openFound(page, 'order-paid', /^Purchase · /);
      await button(page, 'Claw back…').click();
      const confirm = dialog(page).getByRole('button', { name: /^Claw back .* USD$/ });
      const amount = (await confirm.textContent())?.match(/[\d.]+/)?.[0] ?? '';
      await dialog(page).getByLabel(/^Type/).fill(amount);
      await confirm.click();
      await page.getByText('Clawed back (Refund)').waitFor();
    },
  },
  {
    who: 'owner',
    job: 'rehearses the first payout',
    max: 3,
    async steps(page) {
      await screen(page, 'Sandbox');
      await button(page, 'Copy the live program').click();
      await button(page, '+ 30 days').click();
      await page.getByText('30 days ahead').waitFor();
    },
  },
  {
    who: 'developer',
    job: 'sends the events that a failing endpoint missed',
    max: 3,
    async steps(page) {
      await screen(page, 'Webhooks');
      await page.getByRole('link', { name: /^Send events to .*failing$/ }).click();
      await button(page, /^Send \d+ events?$/).click();
      await page.getByText(/^0 of \d+ delivered, \d+ waiting/).waitFor();
    },
  },
  {
    who: 'developer',
    job: 'sends past events, three of them on the endpoint’s page',
    max: 5,
    async steps(page) {
      await screen(page, 'Webhooks');
      await page.getByRole('link', { name: 'http://127.0.0.1:1/hook', exact: true }).click();
      await button(page, 'Send events').click();
      await page.getByText('Past events', { exact: true }).click();
      await button(page, /^Send \d+ events?$/).click();
      await page.getByText(/^0 of \d+ delivered, \d+ waiting/).waitFor();
    },
  },
  {
    who: 'developer',
    job: 'tests an endpoint',
    max: 3,
    async steps(page) {
      await screen(page, 'Webhooks');
      await page.getByRole('link', { name: /^Send events to .*hook$/ }).click();
      await button(page, 'Send test event').click();
      await page.getByText('0 of 1 delivered, 1 failed.').waitFor();
    },
  },
  {
    who: 'developer',
    job: 'creates an API key',
    max: 3,
    async steps(page) {
      await screen(page, 'Developers');
      await button(page, 'Create API key').click();
      await dialog(page).getByRole('textbox', { name: 'Name' }).fill('game server');
      await dialog(page).getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('dialog', { name: 'New API key' }).waitFor();
    },
  },
  {
    who: 'developer',
    job: 'adds a connector, and waits for its first event',
    max: 4,
    async steps(page) {
      await screen(page, 'Connectors');
      await button(page, /^Stripe /).click();
      await dialog(page).getByRole('button', { name: 'Add connector' }).click();
      await page.getByLabel('Signing secret', { exact: true }).pressSequentially('whsec_0123456789');
      await button(page, 'Save secret').click();
      await page.getByText('Waiting for an event.').waitFor();
    },
  },
  {
    who: 'developer',
    job: 'sees why a request was refused',
    max: 2,
    async steps(page) {
      await screen(page, 'Developers');
      await page
        .getByRole('button', { name: /^Open .*InvalidInput|InvalidInput/ })
        .first()
        .click();
      await page
        .getByRole('dialog', { name: 'Rejected request' })
        .getByText('POST /v1/attributions/transactions')
        .waitFor();
    },
  },
  {
    who: 'developer',
    job: 'rotates a key',
    max: 3,
    async steps(page) {
      await screen(page, 'Developers');
      await button(page, 'Rotate backend').click();
      await button(page, 'Create new key').click();
      await page.getByRole('dialog', { name: /New API key backend 2/ }).waitFor();
    },
  },
  {
    who: 'support',
    job: 'finds an order that a creator misses',
    max: 1,
    async steps(page) {
      await openFound(page, 'order-refund', /^Purchase · /);
      await page.getByRole('dialog', { name: 'Purchase' }).waitFor();
    },
  },
  {
    who: 'support',
    job: 'copies the explanation of a share for a creator',
    max: 2,
    async steps(page) {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await openFound(page, 'order-cent', /^Purchase · /);
      await button(page, 'Copy explanation').click();
      await expect
        .poll(() => page.evaluate<string>('navigator.clipboard.readText()'))
        .toContain('order-cent');
    },
  },
  {
    who: 'support',
    job: 'learns why a code is refused',
    max: 1,
    async steps(page) {
      await openFound(page, 'NOBODY', /Check code “NOBODY”|rejected in/);
      await page.getByText(/NOBODY is rejected/).waitFor();
    },
  },
  {
    who: 'support',
    job: 'refunds a purchase',
    max: 3,
    async steps(page) {
      await openFound(page, 'order-refund', /^Purchase · /);
      await button(page, 'Reverse…').click();
      await dialog(page)
        .getByRole('button', { name: /^Reverse/ })
        .click();
      await page.getByText('Reversed (Refund)').waitFor();
    },
  },
  {
    who: 'support',
    job: 'issues an auth code',
    max: 2,
    async steps(page) {
      await page.keyboard.press('Control+k');
      await page.getByRole('textbox', { name: 'Search' }).pressSequentially('Alice');
      await page.getByRole('dialog').getByText('Alice', { exact: true }).first().click();
      await button(page, 'Issue auth code').click();
      await page
        .getByText(/^[A-Z0-9]{4}-?[A-Z0-9]{4}$/)
        .first()
        .waitFor();
    },
  },
  {
    who: 'owner',
    job: 'sees whether the ledger is sound',
    max: 1,
    async steps(page) {
      await screen(page, 'Ledger');
      await page.getByText('Balanced').first().waitFor();
    },
  },
  {
    who: 'owner',
    job: 'proves the ledger',
    max: 2,
    async steps(page) {
      await screen(page, 'Ledger');
      await button(page, 'Verify the ledger').click();
      await page.getByRole('table', { name: 'Ledger verifications' }).getByText('Queued').waitFor();
    },
  },
  {
    who: 'owner',
    job: 'sees who changed what',
    max: 1,
    async steps(page) {
      await screen(page, 'Audit');
      await page.getByRole('table', { name: 'Changes' }).waitFor();
    },
  },
  {
    who: 'owner',
    job: 'invites a person',
    max: 4,
    async steps(page) {
      await screen(page, 'Team');
      await button(page, 'Invite').click();
      await dialog(page).getByLabel('Email').fill('new@example.com');
      await dialog(page).getByRole('radio', { name: 'Finance' }).check();
      await dialog(page).getByRole('button', { name: 'Invite' }).click();
      await page.getByText(/Copy it now/).waitFor();
    },
  },
];

describe.skipIf(!hasBrowser)('a person needs no more clicks than', () => {
  test.each(jobs)('$max, who as $who $job', async ({ who, max, steps }) => {
    const page = await open(who, '/p/aurora');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const clicks = await countClicks(page);
    await steps(page);
    expect(await clicks()).toBe(max);
  });
});
