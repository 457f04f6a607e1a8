import type { State } from './state.ts';

/** Pages for people who are not signed in. */
export const outsideStates: readonly State[] = [
  { name: 'outside-sign-in', path: '/sign-in', isOutside: true },
  { name: 'outside-provider-refused', path: '/sign-in?error=access_denied', isOutside: true },
  { name: 'outside-invitation-refused', path: '/invitation#none', isOutside: true },
  { name: 'outside-reset', path: '/reset-password', isOutside: true },
  { name: 'outside-new-password', path: '/reset-password#some-token', isOutside: true },
  { name: 'outside-unsubscribe-refused', path: '/unsubscribe#some.token', isOutside: true },
];
