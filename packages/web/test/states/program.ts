import { choose, fill, firstRow, press, type Step, seen, steps } from './opening.ts';
import type { State } from './state.ts';

const at = (path: string): string => `/p/aurora/${path}`;
const alice = at('creators?q=Alice&group=main');

/** Saves a view. States are shown several times, and names are unique. */
let views = 0;
const saveView: Step = async (page) => {
  views += 1;
  const name = `Refunds ${views}`;
  await choose('Views', 'Save as new view…')(page);
  await fill('Name', name)(page);
  await press('Save view')(page);
  await page.getByRole('button', { name }).waitFor();
};

const searchFor = (text: string): Step =>
  steps(press(/^Search/), async (page) => {
    await page.locator('input[data-search]').fill(text);
    await page.waitForTimeout(500); // the search waits until no more is typed
  });

/** Dialogs, drawers and tabs of Overview, Transactions, Creators, Shares, Bounties and the shell. */
export const programStates: readonly State[] = [
  { name: 'shell-search', path: at('overview'), open: press(/^Search/) },
  { name: 'shell-search-found', path: at('overview'), open: steps(searchFor('CAROL'), seen(/rejected in/)) },
  { name: 'shell-search-actions', path: at('overview'), open: searchFor('create') },
  { name: 'shell-search-none', path: at('overview'), open: searchFor('no such thing') },
  { name: 'shell-keys', path: at('overview'), open: choose(/^You:/, 'Keyboard shortcuts') },
  { name: 'shell-person', path: at('overview'), open: press(/^You:/) },
  { name: 'shell-bell', path: at('overview'), open: press(/needs? attention/) },
  { name: 'shell-publishers', path: at('overview'), open: press(/^Publisher:/) },

  {
    name: 'overview-custom',
    path: at('overview?compare=year'),
    open: (page) => page.locator('label', { hasText: 'Custom…' }).click(),
  },
  {
    name: 'overview-days',
    path: at('overview?compare=none'),
    open: (page) => page.locator('label', { hasText: 'Table' }).click(),
  },

  { name: 'transactions-open', path: at('transactions?open=demo-order-7') },
  {
    name: 'transactions-calendar',
    path: at('transactions?from=2026-10-05T00:00:00Z&until=2026-10-17T00:00:00Z'),
    open: steps(
      (page) => page.getByRole('button', { name: 'Choose from a calendar' }).first().click(),
      seen(/October 2026/),
    ),
  },
  {
    name: 'transactions-period',
    path: at('transactions?status=normal'),
    open: (page) => page.getByLabel('Period').selectOption('Last 30 days'),
  },
  { name: 'transactions-filtered', path: at('transactions?status=refund,fraud,chargeback&code=LUMEN') },
  { name: 'transactions-reversed', path: at('transactions?status=refund,fraud,chargeback') },
  { name: 'transactions-add-filter', path: at('transactions'), open: press(/^(Add filter|Filters)/) },
  {
    name: 'transactions-search',
    path: at('transactions?group=main'),
    open: steps(
      (page) => page.getByRole('combobox', { name: /^Purchase ID/ }).fill('lu'),
      (page) => page.locator('[role=option]').first().waitFor(),
    ),
  },
  {
    name: 'transactions-searched',
    path: at('transactions?creator=acc_alice&code=ALICE'),
  },
  { name: 'transactions-none', path: at('transactions?code=NOBODY') },
  {
    name: 'transactions-claw-back',
    path: at('transactions?group=main&status=normal&sort=oldest'),
    open: steps(firstRow, press('Claw back…')),
  },
  {
    name: 'transactions-reverse',
    path: at('transactions?status=normal'),
    open: steps(firstRow, press('Reverse…')),
  },
  {
    name: 'transactions-hold',
    path: at('transactions?status=normal'),
    open: steps(firstRow, press('Hold…')),
  },
  {
    name: 'transactions-refund',
    path: at('transactions?status=normal'),
    open: steps(firstRow, press('Refund partially…')),
  },

  {
    name: 'transactions-reinstate',
    path: at('transactions?status=refund'),
    open: steps(firstRow, press('Reinstate…')),
  },
  { name: 'transactions-export', path: at('transactions?status=refund'), open: press('Export CSV') },
  {
    name: 'transactions-chosen',
    path: at('transactions?status=refund'),
    async open(page) {
      await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check();
      // At the end of the page, the bar of actions covers no part of a row.
      await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
    },
  },
  { name: 'transactions-columns', path: at('transactions'), open: press('Columns') },
  {
    name: 'transactions-save-view',
    path: at('transactions?status=refund'),
    open: choose('Views', 'Save as new view…'),
  },
  {
    name: 'transactions-views',
    path: at('transactions?status=refund'),
    open: steps(saveView, press(/^Refunds/)),
  },
  {
    name: 'transactions-rename-view',
    path: at('transactions?status=refund'),
    open: steps(saveView, choose(/^Refunds/, 'Rename…')),
  },
  {
    name: 'transactions-change-view',
    path: at('transactions?status=refund'),
    open: steps(
      saveView,
      // On a phone, the order is behind the filters.
      async (page) => {
        const head = page.getByRole('columnheader', { name: 'Date' }).getByRole('button');
        if ((await head.count()) > 0) return head.click();
        await press(/^Filters/)(page);
        await page.getByLabel('Sort by').selectOption('oldest');
      },
      choose(/changed/, 'Save changes to'),
    ),
  },
  {
    name: 'transactions-remove-view',
    path: at('transactions?status=refund'),
    open: steps(saveView, choose(/^Refunds/, 'Remove…')),
  },

  { name: 'creators-pending', path: at('creators?tab=pending') },
  { name: 'creators-removed', path: at('creators?tab=removed') },
  { name: 'creators-codes', path: at('creators?tab=codes') },
  { name: 'creators-codes-none', path: at('creators?tab=codes&q=nobody') },
  { name: 'creators-codes-open', path: at('creators?tab=codes&group=main'), open: firstRow },
  { name: 'creators-none', path: at('creators?q=nobody') },
  { name: 'creators-export', path: at('creators?group=main'), open: press('More', 'Export CSV') },
  {
    name: 'creators-chosen',
    path: at('creators?group=main'),
    open: (page) => page.getByRole('checkbox', { name: 'Select all rows on this page' }).check(),
  },
  {
    name: 'creators-approve',
    path: at('creators?tab=pending&group=main'),
    open: steps(
      (page) => page.getByRole('checkbox', { name: 'Select all rows on this page' }).check(),
      press('Approve'),
    ),
  },
  {
    name: 'creators-pending-chosen',
    path: at('creators?tab=pending'),
    open: (page) => page.getByRole('checkbox', { name: 'Select all rows on this page' }).check(),
  },
  { name: 'creators-hold', path: at('creators'), open: steps(firstRow, press('Hold payouts…')) },
  { name: 'creators-tax', path: alice, open: press(/^Open Alice/, 'Add tax clearance…') },
  {
    name: 'creators-review',
    path: at('creators?q=Bob&group=main'),
    open: steps(firstRow, press('Start review…')),
  },
  {
    name: 'creators-method',
    path: at('creators?q=Bob&group=main'),
    open: steps(firstRow, press('Add payout method…')),
  },
  { name: 'creators-add', path: at('creators'), open: press('Add creator') },
  { name: 'creators-list', path: at('creators'), open: press('Edit many…') },
  {
    name: 'creators-list-found',
    path: at('creators?group=main'),
    open: steps(
      press('Edit many…'),
      (page) => page.getByLabel('Codes, IDs, or names').fill('ALICE\nBob, NO-ONE\nalice'),
      seen(/1 unknown/),
    ),
  },
  {
    name: 'creators-list-add',
    path: at('creators?group=main'),
    open: steps(
      press('Edit many…'),
      (page) => page.getByLabel('Codes, IDs, or names').fill('NEW-1\nNEW-2'),
      press('Add 2'),
    ),
  },
  { name: 'creators-open', path: alice, open: press(/^Open Alice/) },
  { name: 'creators-change', path: alice, open: press(/^Open Alice/, 'Edit') },
  { name: 'creators-remove', path: alice, open: press(/^Open Alice/, 'Remove…') },
  { name: 'creators-new-note', path: alice, open: press(/^Open Alice/, 'Add note') },
  { name: 'creators-new-tag', path: alice, open: press(/^Open Alice/, 'Add tag') },
  {
    name: 'creators-tagged',
    path: at('creators?q=Alice&group=main&tag=00000000-0000-7000-8000-000000000000'),
  },
  { name: 'creators-new-code', path: alice, open: press(/^Open Alice/, 'Add code') },
  { name: 'creators-code-menu', path: alice, open: press(/^Open Alice/, 'Edit ALICE') },
  {
    name: 'creators-code-away',
    path: alice,
    open: steps(press(/^Open Alice/), choose('Edit ALICE', 'Remove…')),
  },
  { name: 'creators-check', path: at('creators'), open: press('More', 'Check code') },
  { name: 'creators-check-refused', path: at('creators?check=CAROL') },
  { name: 'creators-check-good', path: at('creators?check=ALICE') },
  { name: 'creators-import', path: at('creators/import?group=main') },
  {
    name: 'creators-import-tried',
    path: at('creators/import?group=main'),
    open: steps(
      fill('Table', 'id,name,codes,tier\nnova,Nova,NOVA-1,Gold\nbad,Bad,ALICE,\nodd,Odd,ODD-1,Bronze'),
      press('Check'),
      seen(/to add/),
    ),
  },

  { name: 'shares-open', path: at('shares?group=main'), open: firstRow },
  { name: 'shares-new', path: at('shares?group=main'), open: press('Create schedule') },
  {
    name: 'shares-calendar',
    path: at('shares?group=main&open=new'),
    open: steps(fill('Start', '2031-03-31 18:30'), press('Choose from a calendar'), seen(/March 2031/)),
  },
  {
    name: 'shares-new-refused',
    path: at('shares?group=main&open=new'),
    open: fill('Share for all creators', '400'),
  },
  {
    name: 'shares-new-discard',
    path: at('shares?group=main&open=new'),
    open: steps(
      fill('Share for all creators', '12,5'),
      (page) => page.keyboard.press('Escape'),
      seen(/Discard your changes/),
    ),
  },
  { name: 'shares-tiers', path: at('shares?group=main&tab=tiers') },
  { name: 'shares-tier', path: at('shares?group=main&tab=tiers'), open: firstRow },
  { name: 'shares-new-tier', path: at('shares?group=main&tab=tiers&open=new') },
  { name: 'shares-skus', path: at('shares?group=main&tab=skus') },
  { name: 'shares-sku', path: at('shares?group=main&tab=skus'), open: firstRow },
  { name: 'shares-new-sku', path: at('shares?group=main&tab=skus&open=new') },
  { name: 'shares-groups', path: at('shares?group=main&tab=groups') },
  { name: 'shares-group', path: at('shares?group=main&tab=groups'), open: firstRow },
  { name: 'shares-new-group', path: at('shares?group=main&tab=groups&open=new') },

  { name: 'bounties-coming', path: at('bounties?tab=coming') },
  { name: 'bounties-over', path: at('bounties?tab=over') },
  { name: 'bounties-open', path: at('bounties'), open: firstRow },
  { name: 'bounties-new', path: at('bounties?open=new&group=main') },
  { name: 'bounties-rewards', path: at('bounties?tab=rewards') },
];
