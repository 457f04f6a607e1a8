import type { Page } from 'playwright-core';
import type { PortalState } from './portal-state.ts';

const selects =
  (label: string, option: string) =>
  (page: Page): Promise<unknown> =>
    page.getByLabel(label).selectOption(option);
const withoutEarnings = selects('Publisher', 'Borealis Interactive');

/** States of a page while its request fails or is on its way. */
const troubled = (name: string, path: string): PortalState[] => [
  { name: `${name}-failing`, path, as: 'iris', answers: 'failing' },
  { name: `${name}-loading`, path, as: 'iris', answers: 'never' },
];

/** States of the pages Earnings, Rates, Bounties and Payouts. */
export const moneyStates: readonly PortalState[] = [
  { name: 'earnings', path: '/earnings', as: 'iris' },
  { name: 'earnings-empty', path: '/earnings', as: 'nova', open: withoutEarnings },
  {
    name: 'earnings-none-found',
    path: '/earnings',
    as: 'iris',
    open: async (page) => {
      await selects('Status', 'Fraud')(page);
      await page.getByText('No purchase matches these filters.').waitFor();
    },
  },
  ...troubled('earnings', '/earnings'),
  { name: 'earning', path: ({ earningId }) => `/earnings/${earningId}`, as: 'iris' },
  { name: 'earning-refunded', path: ({ refundedId }) => `/earnings/${refundedId}`, as: 'iris' },
  { name: 'earning-unknown', path: '/earnings/some', as: 'iris' },
  ...troubled('earning', '/earnings/some'),
  { name: 'rates', path: '/rates', as: 'iris' },
  { name: 'rates-empty', path: '/rates', as: 'nova', open: withoutEarnings },
  ...troubled('rates', '/rates'),
  { name: 'bounties', path: '/bounties', as: 'iris' },
  { name: 'bounties-coming', path: '/bounties?state=coming', as: 'iris' },
  { name: 'bounties-over', path: '/bounties?state=over', as: 'iris' },
  { name: 'bounties-empty', path: '/bounties', as: 'nova', open: withoutEarnings },
  ...troubled('bounties', '/bounties'),
  { name: 'payouts', path: '/payouts', as: 'iris' },
  { name: 'payouts-empty', path: '/payouts', as: 'nova', open: withoutEarnings },
  ...troubled('payouts', '/payouts'),
  { name: 'payout', path: ({ lineId }) => `/payouts/${lineId}`, as: 'iris' },
  { name: 'payout-returned', path: ({ returnedLineId }) => `/payouts/${returnedLineId}`, as: 'iris' },
  { name: 'payout-unknown', path: '/payouts/some', as: 'iris' },
  ...troubled('payout', '/payouts/some'),
];
