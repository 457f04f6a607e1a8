import type { Page } from 'playwright-core';
import type { PortalPages } from '../portal.ts';
import { isSettled } from '../screens.ts';
import type { Furnished } from './furnish.ts';
import type { PortalState } from './portal-state.ts';
import { signInStates } from './sign-in-states.ts';

const fill = (page: Page, label: string, text: string): Promise<void> =>
  page.getByLabel(label, { exact: true }).fill(text);
const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

const typeAuthCode = async (page: Page, code: string): Promise<void> => {
  await fill(page, 'Auth code', code);
  await press(page, 'Continue');
};

export const portalStates: readonly PortalState[] = [
  { name: 'enter', path: '/enter', as: null },
  { name: 'enter-ended', path: '/enter?ended=yes&next=%2Fcodes', as: null },
  { name: 'enter-invalid', path: '/enter', as: null, open: (page) => press(page, 'Send code') },
  {
    name: 'enter-code',
    path: '/enter',
    as: null,
    open: async (page) => {
      await fill(page, 'Email address', 'anyone@example.com');
      await press(page, 'Send code');
      await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
    },
  },
  {
    name: 'enter-code-wrong',
    path: '/enter',
    as: null,
    open: async (page) => {
      await fill(page, 'Email address', 'anyone@example.com');
      await press(page, 'Send code');
      await fill(page, 'Code', 'AAAA-AAAA');
      await press(page, 'Sign in');
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'enter-link', path: '/enter#some-token', as: null },
  {
    name: 'enter-link-used',
    path: '/enter#some-token',
    as: null,
    open: async (page) => {
      await press(page, 'Sign in');
      await page.getByRole('heading', { name: 'This link can’t be used' }).waitFor();
    },
  },
  { name: 'invitation', path: ({ invitation }) => `/invitation#${invitation}`, as: null },
  { name: 'invitation-signed-in', path: ({ invitation }) => `/invitation#${invitation}`, as: 'newcomer' },
  { name: 'invitation-refused', path: '/invitation#some-token', as: null },
  { name: 'apply', path: '/apply/aurora/open', as: null },
  { name: 'apply-form', path: '/apply/aurora/open', as: 'newcomer' },
  {
    name: 'apply-invalid',
    path: '/apply/aurora/open',
    as: 'newcomer',
    open: async (page) => {
      await fill(page, 'Your code', 'NOVA');
      await press(page, 'Apply');
      await page.getByText('NOVA isn’t available').waitFor();
    },
  },
  {
    name: 'apply-available',
    path: '/apply/aurora/open',
    as: 'nova',
    open: async (page) => {
      await fill(page, 'Your code', 'STARLIGHT');
      await page.getByText('STARLIGHT is available').waitFor();
    },
  },
  { name: 'apply-sent', path: '/apply/aurora/full', as: 'applicant' },
  { name: 'apply-refused', path: '/apply/aurora/club', as: 'applicant' },
  { name: 'apply-full', path: '/apply/aurora/full', as: null },
  { name: 'apply-closed', path: '/apply/aurora/main', as: null },
  { name: 'apply-failing', path: '/apply/aurora/open', as: 'nova', answers: 'failing' },
  { name: 'apply-loading', path: '/apply/aurora/open', as: 'nova', answers: 'never' },
  { name: 'home-applied', path: '', as: 'applicant' },
  { name: 'home', path: '', as: 'nova' },
  {
    name: 'home-empty',
    path: '',
    as: 'nova',
    open: (page) => page.getByLabel('Publisher').selectOption('Borealis Interactive'),
  },
  { name: 'home-no-account', path: '', as: 'newcomer' },
  { name: 'home-failing', path: '', as: 'nova', answers: 'failing' },
  { name: 'home-limited', path: '', as: 'nova', answers: 'limited' },
  { name: 'home-loading', path: '', as: 'nova', answers: 'never' },
  {
    name: 'home-offline',
    path: '',
    as: 'nova',
    open: (page) => page.context().setOffline(true),
  },
  { name: 'codes', path: '/codes', as: 'nova' },
  { name: 'codes-qr', path: '/codes', as: 'nova', open: (page) => press(page, 'Show QR code of NOVA-LIVE') },
  { name: 'link', path: '/link', as: 'newcomer' },
  {
    name: 'link-confirm',
    path: '/link',
    as: 'newcomer',
    open: async (page, { authCode }) => {
      await typeAuthCode(page, await authCode());
      await page.getByRole('heading', { name: 'Connect Free?' }).waitFor();
    },
  },
  {
    name: 'link-wrong',
    path: '/link',
    as: 'newcomer',
    open: async (page) => {
      await typeAuthCode(page, 'AAAA-AAAA');
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'auth-code', path: '/auth-code', as: 'nova' },
  {
    name: 'auth-code-created',
    path: '/auth-code',
    as: 'nova',
    open: async (page) => {
      await press(page, 'Create auth code');
      await page.getByText('Works once').waitFor();
    },
  },
  { name: 'stream-alert-no-account', path: '/stream-alert', as: 'newcomer' },
  { name: 'stream-alert-none', path: '/stream-alert', as: 'nova' },
  {
    name: 'stream-alert-created',
    path: '/stream-alert',
    as: 'nova',
    open: async (page) => {
      await page.getByRole('button', { name: /^Create (a new )?address$/ }).click();
      await page.getByText('Copy the address now').waitFor();
    },
  },
  {
    name: 'stream-alert-invalid',
    path: '/stream-alert',
    as: 'nova',
    open: async (page) => {
      await page.getByRole('button', { name: /^Create (a new )?address$/ }).click();
      await fill(page, 'Text', '');
      await press(page, 'Save');
      await page.getByText('Text is required.').waitFor();
    },
  },
  { name: 'stream-alert-failing', path: '/stream-alert', as: 'nova', answers: 'failing' },
  { name: 'stream-alert-loading', path: '/stream-alert', as: 'nova', answers: 'never' },
  { name: 'statements', path: '/statements', as: 'nova' },
  {
    name: 'statements-empty',
    path: '/statements',
    as: 'nova',
    open: (page) => page.getByLabel('Publisher').selectOption('Borealis Interactive'),
  },
  { name: 'statements-failing', path: '/statements', as: 'nova', answers: 'failing' },
  { name: 'statements-loading', path: '/statements', as: 'nova', answers: 'never' },
  {
    name: 'statement',
    path: '/statements',
    as: 'nova',
    open: async (page) => {
      await page.getByRole('link', { name: 'Aurora Stars' }).first().click();
      await page.getByText('Opening balance').waitFor();
    },
  },
  {
    name: 'statement-file-failing',
    path: '/statements',
    as: 'nova',
    open: async (page) => {
      await page.route('**/statement.pdf**', (route) =>
        route.fulfill({
          status: 503,
          json: {
            code: 'Unavailable',
            message: 'Too many files are being created right now. Try again in a few seconds.',
          },
        }),
      );
      await page.getByRole('button', { name: /^PDF/ }).first().click();
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'payout-method', path: '/payout-method', as: 'nova' },
  {
    name: 'payout-method-empty',
    path: '/payout-method',
    as: 'nova',
    open: (page) => page.getByLabel('Publisher').selectOption('Borealis Interactive'),
  },
  { name: 'payout-method-failing', path: '/payout-method', as: 'nova', answers: 'failing' },
  { name: 'payout-method-loading', path: '/payout-method', as: 'nova', answers: 'never' },
  { name: 'payout-method-new', path: '/payout-method/new', as: 'nova' },
  {
    name: 'payout-method-bank-invalid',
    path: '/payout-method/new',
    as: 'nova',
    open: async (page) => {
      await page.getByLabel('Bank account').check();
      await press(page, 'Continue');
    },
  },
  {
    name: 'payout-method-refused',
    path: '/payout-method/new',
    as: 'nova',
    open: async (page) => {
      await page.getByLabel('Bank account').check();
      await fill(page, 'IBAN', 'DE00 1234');
      await fill(page, 'Legal name', 'Nova Muster');
      await page.getByLabel('Country').selectOption('DE');
      await press(page, 'Continue');
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'payout-method-code',
    path: '/payout-method/new',
    as: 'nova',
    open: async (page) => {
      await fill(page, 'Email address of your PayPal account', 'another@example.com');
      await fill(page, 'Legal name', 'Nova Muster');
      await page.getByLabel('Country').selectOption('DE');
      await press(page, 'Continue');
      await fill(page, 'Code', 'AAAA-AAAA');
      await press(page, 'Save payout method');
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'payout-method-remove', path: ({ methodId }) => `/payout-method/${methodId}`, as: 'nova' },
  { name: 'not-me', path: ({ noticeToken }) => `/not-me#${noticeToken}`, as: null },
  {
    name: 'not-me-taken-back',
    path: ({ usedNoticeToken }) => `/not-me#${usedNoticeToken}`,
    as: null,
  },
  { name: 'not-me-refused', path: '/not-me#some-token', as: null },
  { name: 'unsubscribe', path: ({ unsubscribeToken }) => `/unsubscribe#${unsubscribeToken}`, as: null },
  {
    name: 'unsubscribe-done',
    path: ({ unsubscribeToken }) => `/unsubscribe#${unsubscribeToken}`,
    as: null,
    open: async (page) => {
      await press(page, 'Turn off');
      await page.getByRole('status').filter({ hasText: 'Turned off' }).waitFor();
    },
  },
  { name: 'unsubscribe-refused', path: '/unsubscribe#some-token', as: null },
  { name: 'emails', path: '/emails', as: 'nova' },
  { name: 'emails-failing', path: '/emails', as: 'nova', answers: 'failing' },
  { name: 'emails-loading', path: '/emails', as: 'nova', answers: 'never' },
  {
    name: 'emails-new-invalid',
    path: '/emails/new',
    as: 'nova',
    open: (page) => press(page, 'Send codes'),
  },
  {
    name: 'emails-codes-wrong',
    path: '/emails/new',
    as: 'newcomer',
    open: async (page) => {
      await fill(page, 'Email address', 'second@example.com');
      await press(page, 'Send codes');
      await fill(page, 'Code sent to newcomer@example.com', 'AAAA-AAAA');
      await fill(page, 'Code sent to second@example.com', 'AAAA-AAAA');
      await press(page, 'Add address');
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'emails-remove',
    path: '/emails',
    as: 'nova',
    open: async (page) => {
      await press(page, 'Remove backup@example.com');
      await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor();
    },
  },
  { name: 'notifications', path: '/notifications', as: 'nova' },
  { name: 'notifications-failing', path: '/notifications', as: 'nova', answers: 'failing' },
  { name: 'notifications-loading', path: '/notifications', as: 'nova', answers: 'never' },
  { name: 'you', path: '/you', as: 'nova' },
  ...signInStates,
  { name: 'profile', path: '/profile', as: 'nova' },
  {
    name: 'profile-invalid',
    path: '/profile',
    as: 'nova',
    open: async (page) => {
      await fill(page, 'Creator name', ' ');
      await press(page, 'Save name');
      await page.getByText('Name is required.').waitFor();
    },
  },
  {
    name: 'profile-failing',
    path: '/profile',
    as: 'nova',
    open: async (page) => {
      await page.route('**/portal/v1/name**', (route) =>
        route.fulfill({ status: 503, json: { code: 'Unavailable', message: 'Try again in a moment.' } }),
      );
      await press(page, 'Save name');
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'your-data', path: '/your-data', as: 'nova' },
  {
    name: 'your-data-question',
    path: '/your-data',
    as: 'nova',
    open: (page) => press(page, 'Request erasure'),
  },
  {
    name: 'your-data-code',
    path: '/your-data',
    as: 'nova',
    open: async (page) => {
      await press(page, 'Get your data');
      await fill(page, 'Code', 'AAAA-AAAA');
      await press(page, 'Continue');
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'your-data-allowed',
    path: '/your-data',
    as: 'nova',
    open: async (page, { nextCodeTo }) => {
      await press(page, 'Get your data');
      await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor();
      await fill(page, 'Code', await nextCodeTo('nova@example.com', 'download'));
      await press(page, 'Continue');
      await page.getByText('Available until').waitFor();
    },
  },
  {
    name: 'your-data-erasure-code',
    path: '/your-data',
    as: 'nova',
    open: async (page) => {
      await press(page, 'Request erasure');
      await press(page, 'Erase my data');
      await page.getByText('This requests the erasure').waitFor();
    },
  },
  {
    name: 'your-data-requested',
    path: '/your-data',
    as: 'newcomer',
    open: async (page, { nextCodeTo }) => {
      await press(page, 'Request erasure');
      await press(page, 'Erase my data');
      await page.getByText('This requests the erasure').waitFor();
      await fill(page, 'Code', await nextCodeTo('newcomer@example.com', 'erase'));
      await press(page, 'Erase my data');
      await page.getByText('You requested the erasure of your data').waitFor();
    },
  },
  { name: 'your-data-failing', path: '/your-data', as: 'nova', answers: 'failing' },
  { name: 'your-data-loading', path: '/your-data', as: 'nova', answers: 'never' },
  { name: 'not-found', path: '/nowhere', as: 'nova' },
];

/** Opens a fresh page in a state. */
export async function openState(
  portal: PortalPages,
  furnished: Furnished,
  state: PortalState,
): Promise<Page> {
  const { as, path, answers, open } = state;
  const page = await (as === null ? portal.visit('/enter') : portal.visitAs(furnished[as], '/you'));
  await isSettled(page);
  if (answers !== undefined) await breakService(page, answers);
  await page.goto('about:blank'); // otherwise a change of only the fragment loads nothing
  await page.goto(`${portal.service().url}/creators${typeof path === 'string' ? path : path(furnished)}`);
  if (answers === 'never') await page.locator('main [aria-busy=true]').first().waitFor();
  else await isSettled(page);
  await open?.(page, furnished);
  if (answers !== 'never') await isSettled(page);
  return page;
}

/** Makes requests for a publisher's data fail or hang. The session still loads. */
async function breakService(page: Page, answers: 'failing' | 'never' | 'limited'): Promise<void> {
  const problem =
    answers === 'limited'
      ? {
          status: 429,
          json: { code: 'RateLimited', message: 'Too many requests. Try again in a few seconds.' },
        }
      : {
          status: 503,
          json: { code: 'Unavailable', message: 'The database does not answer. Try again in a moment.' },
        };
  const broken = [
    'home',
    'earnings',
    'rates',
    'bounties',
    'payouts',
    'codes',
    'statements',
    'payout-methods',
    'apply/',
    'stream-alert',
    'sign-in-methods',
    'notifications',
    'emails',
  ];
  await page.route(`**/portal/v1/{${broken.join(',')}}**`, async (route) => {
    if (answers === 'never') return;
    await route.fulfill({ ...problem, headers: { 'x-request-id': '0199c1de-7a3b-7000-8000-5f2a9be01c44' } });
  });
}
