import type { PortalState } from './portal-state.ts';

/** States of the pages for sign-in methods. */
export const signInStates: readonly PortalState[] = [
  { name: 'enter-unknown', path: '/enter?problem=unknown&provider=twitch', as: null },
  { name: 'enter-unavailable', path: '/enter?problem=unavailable&provider=discord', as: null },
  { name: 'sign-in', path: '/sign-in', as: 'nova' },
  { name: 'sign-in-empty', path: '/sign-in', as: 'newcomer' },
  { name: 'sign-in-added', path: '/sign-in?added=twitch', as: 'nova' },
  { name: 'sign-in-taken', path: '/sign-in?problem=taken&provider=twitch', as: 'newcomer' },
  { name: 'sign-in-failing', path: '/sign-in', as: 'nova', answers: 'failing' },
  { name: 'sign-in-loading', path: '/sign-in', as: 'nova', answers: 'never' },
  {
    name: 'sign-in-code',
    path: '/sign-in',
    as: 'nova',
    open: async (page) => {
      await page.getByRole('button', { name: 'Add Discord', exact: true }).click();
      await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor();
    },
  },
  {
    name: 'sign-in-passkey-code',
    path: '/sign-in',
    as: 'nova',
    open: async (page) => {
      await page.getByRole('button', { name: 'Add a passkey', exact: true }).click();
      await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor();
    },
  },
  { name: 'sign-in-remove', path: ({ signInMethodId }) => `/sign-in/${signInMethodId}`, as: 'nova' },
];
