import type { State } from '../states.ts';
import { choose, firstRow, press, type Step, steps } from './opening.ts';

const at = (path: string): string => `/p/aurora/${path}`;
const endpoint: Step = (page) =>
  page
    .getByRole('link', { name: /aurora\.example/ })
    .first()
    .click();
const onEndpoint = (more: Step): Step =>
  steps(endpoint, (page) => page.getByRole('button', { name: 'More' }).waitFor(), more);

/** What opens over Payouts, Ledger, Webhooks, Developers, Audit, Team, Settings and a person's account. */
export const operationStates: readonly State[] = [
  { name: 'payouts-made', path: at('payouts/made') },
  { name: 'payouts-owed', path: at('payouts/owed') },
  { name: 'payouts-taken-back', path: at('payouts/taken-back') },
  { name: 'payouts-month', path: at('payouts/month') },
  { name: 'payouts-create', path: at('payouts'), open: press('Create payout') },

  { name: 'webhooks-add', path: at('webhooks'), open: press('Add an endpoint') },
  { name: 'webhooks-endpoint', path: at('webhooks'), open: endpoint },
  { name: 'webhooks-delivery', path: at('webhooks'), open: onEndpoint(firstRow) },
  { name: 'webhooks-change', path: at('webhooks'), open: onEndpoint(choose('More', 'Change')) },
  { name: 'webhooks-secret', path: at('webhooks'), open: onEndpoint(choose('More', 'New secret')) },
  { name: 'webhooks-off', path: at('webhooks'), open: onEndpoint(choose('More', 'Switch off')) },
  { name: 'webhooks-remove', path: at('webhooks'), open: onEndpoint(choose('More', 'Remove')) },
  { name: 'webhooks-replay', path: at('webhooks'), open: onEndpoint(press('Replay')) },

  { name: 'developers-new-key', path: at('developers'), open: press('Make a key') },
  { name: 'developers-key-menu', path: at('developers'), open: press(/^What can be done with backend/) },
  {
    name: 'developers-rotate',
    path: at('developers'),
    open: choose(/^What can be done with backend/, 'Rotate'),
  },
  {
    name: 'developers-revoke',
    path: at('developers'),
    open: choose(/^What can be done with backend/, 'Revoke'),
  },

  { name: 'audit-open', path: at('audit'), open: firstRow },

  { name: 'team-invite', path: at('team'), open: press('Invite') },
  { name: 'settings-group', path: at('settings'), open: firstRow },
];
