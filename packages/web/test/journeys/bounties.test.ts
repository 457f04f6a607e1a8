import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { completeBounties } from '../../../server/src/bounties/complete/complete-bounties.ts';
import { purchase } from '../../../server/test/fixtures.ts';
import { settleAll } from '../../../server/test/money.ts';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';
import { isSettled } from '../screens.ts';

const { open, service, keys } = useDashboard();

const drawer = (page: Page) => page.getByRole('dialog');

test.skipIf(!hasBrowser)(
  'creates a bounty, locks its fields once started, completes it and delivers its reward',
  async () => {
    await service().provision(
      '{ publisher: { id: aurora }, groups: [ { id: main, members: [ { id: acc_cleo, name: Cleo, codes: [ { code: CLEO } ] } ] } ] }',
    );
    const page = await open('manager', '/p/aurora/bounties?group=main');
    await page.getByText('No running bounties').waitFor();
    await isSettled(page);
    await page.getByRole('button', { name: 'Create bounty' }).first().click();
    expect(await drawer(page).getByRole('button', { name: 'Create bounty' }).isDisabled()).toBe(true);
    await drawer(page).getByText('Name is required').waitFor();
    await drawer(page).getByLabel('Name').first().fill('Ten sales');
    await drawer(page).getByText('Objective 1 needs a name').waitFor();
    await page.getByLabel('Starts at').fill('2026-01-01T00:00');
    const objective = drawer(page).getByRole('group', { name: 'Objective 1' });
    await objective.getByLabel('Name').fill('Sell for ten');
    await objective.getByLabel('Measure', { exact: true }).selectOption('Amount');
    await drawer(page).getByText('Objective 1 needs a currency').waitFor();
    await objective.getByLabel('Currency').selectOption('USD');
    await objective.getByLabel('Amount').fill('10.50');
    const reward = drawer(page).getByRole('group', { name: 'Reward 1' });
    await reward.getByLabel('Name').fill('A mug');
    await drawer(page).getByRole('button', { name: 'Create bounty' }).click();
    await page.getByRole('table', { name: 'Bounties' }).getByText('Ten sales').waitFor();

    const { db } = service().testDatabase.database;
    for (const subtotal of [600, 300])
      await service().call('POST', '/v1/attributions/transactions', {
        key: keys().backend,
        json: purchase({ code: 'BOB', subtotal }),
      });
    await settleAll(db);
    await completeBounties(db, 'aurora', new Date());
    await page.getByRole('button', { name: 'Open Ten sales' }).click();
    await drawer(page).getByText('Sell for ten: 9.00 USD of 10.50 USD').waitFor();
    await drawer(page).getByRole('tab', { name: 'Details' }).click();
    await drawer(page).getByText('Creators have started this objective').waitFor();
    expect(await objective.getByLabel('Amount').isDisabled()).toBe(true);
    expect(await objective.getByLabel('Amount').inputValue()).toBe('10.50');
    expect(await page.getByLabel('Starts at').isDisabled()).toBe(true);
    await drawer(page).getByLabel('Name').first().fill('Ten dollars');
    await drawer(page).getByRole('button', { name: 'Save' }).click();
    await page.getByRole('table', { name: 'Bounties' }).getByText('Ten dollars').waitFor();

    for (const code of ['BOB', 'ALICE', 'CLEO'])
      await service().call('POST', '/v1/attributions/transactions', {
        key: keys().backend,
        json: purchase({ code, subtotal: 1_050 }),
      });
    await settleAll(db);
    await completeBounties(db, 'aurora', new Date());
    await page.getByRole('tab', { name: 'Rewards to deliver' }).click();
    await page.getByRole('tab', { name: 'Rewards to deliver (3)' }).waitFor();
    await page.getByRole('button', { name: 'Mark as delivered: A mug for Bob' }).click();
    await page.getByLabel('Your reference').fill('parcel-7');
    await page.getByRole('dialog').getByRole('button', { name: 'Mark as delivered' }).click();
    await page.getByText('A mug for Bob marked as delivered').waitFor();
    await page.getByRole('tab', { name: 'Rewards to deliver (2)' }).waitFor();

    await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check();
    await page.getByText('2 rewards selected').waitFor();
    await page
      .getByRole('region', { name: 'Selected rewards' })
      .getByRole('button', { name: 'Mark as delivered' })
      .click();
    const both = page.getByRole('dialog', { name: 'Mark 2 rewards as delivered?' });
    await both.getByText('A mug for Cleo').waitFor();
    await both.getByLabel('Your reference').pressSequentially('parcel-8');
    await expectAccessible(page, 'the rewards to deliver');
    await both.getByRole('button', { name: 'Mark as delivered' }).click();
    await page.getByText('2 rewards marked as delivered').waitFor();
    await page.getByText('Nothing to deliver').waitFor();
    await page.getByLabel('Reward status').selectOption('Delivered');
    const delivered = page.getByRole('table', { name: 'Rewards' });
    await delivered.getByRole('row', { name: /Bob.*parcel-7/ }).waitFor();
    expect(await delivered.getByText('parcel-8').count()).toBe(2);
  },
);

test.skipIf(!hasBrowser)('shows no buttons that change bounties or shares to a viewer', async () => {
  const page = await open('viewer', '/p/aurora/bounties');
  await page.getByRole('table', { name: 'Bounties' }).waitFor();
  await page.getByRole('heading', { name: 'Bounties' }).waitFor();
  expect(await page.getByRole('button', { name: 'Create bounty' }).count()).toBe(0);
  const asked = page.waitForRequest((request) => new URL(request.url()).searchParams.get('limit') === '100');
  await page.goto(`${service().url}/p/aurora/bounties?limit=100`);
  await asked;
  await page.goto(`${service().url}/p/aurora/shares?tab=tiers`);
  await page.getByRole('button', { name: 'Open Gold' }).click();
  await drawer(page).getByLabel('Share').waitFor();
  expect(await drawer(page).getByRole('button', { name: 'Save' }).count()).toBe(0);
  expect(await drawer(page).getByLabel('Share').isDisabled()).toBe(true);
});
