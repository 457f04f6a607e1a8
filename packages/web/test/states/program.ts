import { choose, fill, firstRow, press, seen, steps } from './opening.ts';
import type { State } from './state.ts';

const at = (path: string): string => `/p/aurora/${path}`;
const alice = at('creators?q=Alice&group=main');

/** Dialogs, drawers and tabs of Overview, Transactions, Creators, Shares, Bounties and the shell. */
export const programStates: readonly State[] = [
  { name: 'shell-search', path: at('overview'), open: press(/^Search/) },
  {
    name: 'shell-search-found',
    path: at('overview'),
    open: steps(
      press(/^Search/),
      (page) => page.getByLabel('Search').last().fill('CAROL'),
      seen(/refused in/),
    ),
  },
  { name: 'shell-keys', path: at('overview'), open: choose(/^You:/, 'Keyboard shortcuts') },
  { name: 'shell-person', path: at('overview'), open: press(/^You:/) },
  { name: 'shell-bell', path: at('overview'), open: press(/failing/) },
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

  { name: 'creators-pending', path: at('creators?tab=pending') },
  { name: 'creators-removed', path: at('creators?tab=removed') },
  { name: 'creators-codes', path: at('creators?tab=codes') },
  { name: 'creators-codes-none', path: at('creators?tab=codes&q=nobody') },
  { name: 'creators-codes-open', path: at('creators?tab=codes&group=main'), open: firstRow },
  { name: 'creators-none', path: at('creators?q=nobody') },
  {
    name: 'creators-chosen',
    path: at('creators?group=main'),
    open: (page) => page.getByRole('checkbox', { name: 'Select all rows on this page' }).click(),
  },
  {
    name: 'creators-approve',
    path: at('creators?tab=pending&group=main'),
    open: steps(
      (page) => page.getByRole('checkbox', { name: 'Select all rows on this page' }).click(),
      press('Approve'),
    ),
  },
  { name: 'creators-add', path: at('creators'), open: press('Add creator') },
  { name: 'creators-paste', path: at('creators'), open: press('Paste codes') },
  { name: 'creators-open', path: alice, open: press(/^Open Alice/) },
  { name: 'creators-change', path: alice, open: press(/^Open Alice/, 'Edit') },
  { name: 'creators-remove', path: alice, open: press(/^Open Alice/, 'Remove…') },
  { name: 'creators-new-code', path: alice, open: press(/^Open Alice/, 'Add code') },
  { name: 'creators-code-menu', path: alice, open: press(/^Open Alice/, 'Edit ALICE') },
  {
    name: 'creators-code-away',
    path: alice,
    open: steps(press(/^Open Alice/), choose('Edit ALICE', 'Remove…')),
  },
  { name: 'creators-check', path: at('creators'), open: press('Check code') },
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
