import { choose, fill, firstRow, openGuide, press, type Step, seen, steps } from './opening.ts';
import type { State } from './state.ts';

const at = (path: string): string => `/p/aurora/${path}`;
const endpoint: Step = (page) =>
  page
    .getByRole('link', { name: /aurora\.example/ })
    .first()
    .click();
const onEndpoint = (more: Step): Step =>
  steps(endpoint, (page) => page.getByRole('button', { name: 'More' }).waitFor(), more);

const payout: Step = (page) =>
  page.getByRole('row').filter({ hasText: 'USD' }).getByRole('link').first().click();
const keyMenu = /^Actions for backend/;

/** Creates a key, and uses it to send a request that is refused. */
const sendRefused: Step = async (page) => {
  await page.evaluate(`(async () => {
    const json = { 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'game client', kind: 'public' });
    const made = await fetch('/admin/v1/publishers/aurora/keys', { method: 'POST', headers: json, body });
    const { key } = await made.json();
    // An unread body would keep the request pending until the page is closed.
    await (await fetch('/v1/attributions/transactions', { headers: { 'x-shared-secret': key } })).text();
  })()`);
};
/** Plans a group's payouts for the 15th, and opens the preview of all groups. */
const planned: Step = async (page) => {
  await page.evaluate(`(async () => {
    const groups = '/admin/v1/publishers/aurora/groups';
    const { rows } = await (await fetch(groups)).json();
    const { version } = rows.find(({ groupId }) => groupId === 'main');
    const body = JSON.stringify({ version, payoutCalendar: { dayOfMonth: 15, withinDays: 3 } });
    await (await fetch(groups + '/main', { method: 'PUT', headers: { 'content-type': 'application/json' }, body })).text();
  })()`);
  await page.reload();
  await page.getByText(/^Planned for/).waitFor();
};
/** Sends a request as the signed-in person. A request that changes nothing may be rejected. */
const send =
  (method: string, path: string, body: object): Step =>
  async (page) => {
    const address = JSON.stringify(`/admin/v1/publishers/aurora/${path}`);
    const request = JSON.stringify({
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await page.evaluate(`fetch(${address}, ${request}).then((answer) => answer.text())`);
  };
/** Sets a tax clearance that ends soon, one that doesn't, and a review. */
const gatesSet: Step = steps(
  send('POST', 'gates/import', {
    csv: `memberId,until,note\nacc_alice,${new Date(Date.now() + 864e6).toISOString().slice(0, 10)},W-8BEN 2026-03`,
    isDryRun: false,
  }),
  send('POST', 'gates/import', { csv: 'memberId,until,note\nacc_bob,never,W-9', isDryRun: false }),
  send('POST', 'members/acc_alice/gates', { kind: 'review', note: 'same bank account as another creator' }),
  async (page) => {
    await page.reload();
    await page.getByRole('button', { name: 'End review…' }).first().waitFor();
  },
);
const methodEntered: Step = steps(
  send('POST', 'members/acc_alice/payees', {
    kind: 'sepa',
    holderName: 'Alice Example',
    holderType: 'individual',
    country: 'DE',
    iban: 'DE89370400440532013000',
  }),
  async (page) => {
    await page.reload();
    await page.getByRole('button', { name: 'Show account' }).first().waitFor();
  },
);
const counted: Step = async (page) => {
  await sendRefused(page);
  await page
    .getByRole('row', { name: /1 rejected/ })
    .first()
    .waitFor();
};
const refuse: Step = async (page) => {
  await sendRefused(page);
  await page.waitForTimeout(2_000);
  await page.reload();
  await page.locator('[data-row-opener]').first().waitFor();
};

/** Dialogs, drawers and tabs of Payouts, Ledger, Webhooks, Developers, Audit, Team, Settings and the sign-in settings. */
export const operationStates: readonly State[] = [
  { name: 'payouts-made', path: at('payouts/made') },
  {
    name: 'payouts-made-selected',
    path: at('payouts/made?status=Created'),
    open: (page) => page.getByRole('checkbox', { name: 'Select all rows on this page' }).check(),
  },
  {
    name: 'payouts-made-pay',
    path: at('payouts/made?status=Created'),
    open: steps(
      (page) => page.getByRole('checkbox', { name: 'Select all rows on this page' }).check(),
      press('Mark as paid'),
    ),
  },
  {
    name: 'payouts-made-files',
    path: at('payouts/made?status=Created'),
    open: steps(
      (page) => page.getByRole('checkbox', { name: 'Select all rows on this page' }).check(),
      press('Download payment files'),
      (page) => page.getByRole('menuitem').first().waitFor(),
    ),
  },
  { name: 'payouts-all-create', path: at('payouts'), open: press(/^Create( \d+)? payouts?$/) },
  { name: 'payouts-runs', path: at('payouts/runs') },
  { name: 'payouts-run-unknown', path: at('payouts/runs/01900000-0000-7000-8000-000000000000') },
  { name: 'payouts-more', path: at('payouts/held'), open: press(/more payout views/i) },
  { name: 'payouts-owed', path: at('payouts/owed') },
  { name: 'payouts-holds', path: at('payouts/held') },
  { name: 'payouts-methods', path: at('payouts/payees') },
  { name: 'payouts-methods-waiting', path: at('payouts/payees'), open: methodEntered },
  { name: 'payouts-tax', path: at('payouts/tax'), open: gatesSet },
  { name: 'payouts-tax-ending', path: at('payouts/tax?show=ending') },
  { name: 'payouts-tax-end', path: at('payouts/tax'), open: steps(gatesSet, press('End review…')) },
  {
    name: 'payouts-tax-import',
    path: at('payouts/tax'),
    open: steps(
      press('Import tax clearances'),
      (page) =>
        page
          .getByLabel('Table')
          .fill('memberId,until,note\nacc_alice,2098-12-31,W-8BEN 2026-03\nacc_nobody,never,W-9'),
      press('Check'),
      seen('no creator with the id acc_nobody'),
    ),
  },
  { name: 'payouts-on-hold', path: at('payouts?group=main&state=on-hold') },
  { name: 'payouts-taken-back', path: at('payouts/taken-back') },
  { name: 'payouts-month', path: at('payouts/month') },
  { name: 'payouts-month-not-over', path: at('payouts/month'), open: press('Next month') },
  { name: 'payouts-held', path: at('payouts?group=main&state=held') },
  { name: 'payouts-none', path: at('payouts/month?month=2020-01') },
  { name: 'payouts-planned', path: at('payouts'), open: planned },
  { name: 'payouts-of-group', path: at('payouts?group=main') },
  { name: 'payouts-create', path: at('payouts?group=main'), open: press(/^Create( \d+)? payouts?$/) },
  { name: 'payouts-one', path: at('payouts/made?status=Created'), open: payout },
  {
    name: 'payouts-pay',
    path: at('payouts/made?status=Created'),
    open: steps(payout, press('Mark as paid')),
  },
  {
    name: 'payouts-cancel',
    path: at('payouts/made?status=Created'),
    open: steps(payout, press('More', 'Cancel payout')),
  },
  {
    name: 'payouts-set-result',
    path: at('payouts/made?status=Created'),
    open: steps(
      payout,
      (page) =>
        page
          .getByRole('table', { name: 'Payments in this payout' })
          .getByRole('checkbox', { name: /^Select .*-00001$/ })
          .check(),
      press('Set result'),
    ),
  },
  {
    name: 'payouts-import-results',
    path: at('payouts/made?status=Created'),
    open: steps(
      payout,
      press('Import results'),
      (page) => page.getByLabel('Table').fill('reference,status\n9999-00001,Paid'),
      press('Check'),
      seen('0 to set, 0 unchanged, 1 rejected'),
    ),
  },
  { name: 'payouts-paid', path: at('payouts/made?status=Paid'), open: payout },
  { name: 'payouts-claw-back', path: at('payouts/taken-back?transaction=demo-order-7') },
  { name: 'payouts-claw-back-none', path: at('payouts/taken-back?transaction=order-0') },
  { name: 'payouts-unknown', path: at('payouts/01900000-0000-7000-8000-000000000000') },
  { name: 'ledger-asked', path: at('ledger'), open: press(/^Verify (the ledger|recent changes)$/) },

  { name: 'webhooks-add', path: at('webhooks'), open: press('Add endpoint') },
  { name: 'webhooks-endpoint', path: at('webhooks'), open: endpoint },
  { name: 'webhooks-delivery', path: at('webhooks'), open: onEndpoint(firstRow) },
  { name: 'webhooks-gone', path: at('webhooks/we_gone') },
  { name: 'webhooks-menu', path: at('webhooks'), open: onEndpoint(press('More')) },
  { name: 'webhooks-change', path: at('webhooks'), open: onEndpoint(choose('More', 'Edit')) },
  { name: 'webhooks-secret', path: at('webhooks'), open: onEndpoint(choose('More', 'Rotate secret')) },
  { name: 'webhooks-off', path: at('webhooks'), open: onEndpoint(choose('More', 'Turn off')) },
  { name: 'webhooks-remove', path: at('webhooks'), open: onEndpoint(choose('More', 'Remove')) },
  { name: 'webhooks-send', path: at('webhooks'), open: onEndpoint(press('Send events')) },
  {
    name: 'webhooks-send-sent',
    path: at('webhooks'),
    open: onEndpoint(steps(press('Send events', 'Send test event'), seen(/^0 of 1 delivered/))),
  },
  {
    name: 'webhooks-send-past',
    path: at('webhooks'),
    open: onEndpoint(
      steps(
        press('Send events'),
        (page) => page.getByText('Past events').click(),
        seen(/will be sent|nothing to send/),
      ),
    ),
  },

  { name: 'developers-new-key', path: at('developers'), open: press('Create API key') },
  { name: 'developers-key-menu', path: at('developers'), open: press(keyMenu) },
  {
    name: 'developers-rotate',
    path: at('developers'),
    open: choose(keyMenu, 'Rotate'),
  },
  {
    name: 'developers-revoke',
    path: at('developers'),
    open: choose(keyMenu, 'Revoke'),
  },

  {
    name: 'developers-shown-key',
    path: at('developers'),
    open: steps(press('Create API key'), fill('Name', 'shown once'), press('Create key'), seen(/^svc_sk_/)),
  },
  { name: 'developers-snippets', path: at('developers?tab=snippets') },
  { name: 'developers-activity', path: at('developers?tab=activity'), open: counted },
  { name: 'developers-activity-none', path: '/p/quiet/developers?tab=activity' },
  { name: 'developers-requests', path: at('developers?tab=requests'), open: refuse },
  { name: 'developers-request', path: at('developers?tab=requests'), open: firstRow },
  { name: 'developers-requests-none', path: at('developers?tab=requests&requestId=nobody') },

  { name: 'audit-none', path: at('audit?action=nothing.such') },
  { name: 'audit-open', path: at('audit'), open: firstRow },

  { name: 'team-invite', path: at('team'), open: press('Invite') },
  { name: 'team-person-menu', path: at('team'), open: press(/^Edit Olga/) },
  { name: 'team-role', path: at('team'), open: choose(/^Edit Olga/, 'Change role') },
  { name: 'team-remove', path: at('team'), open: choose(/^Edit Olga/, 'Remove') },
  { name: 'team-sign-out', path: at('team'), open: choose(/^Edit Olga/, 'Sign out everywhere') },
  { name: 'team-invitations', path: at('team?tab=invitations') },
  {
    name: 'team-invited',
    path: at('team'),
    open: steps(
      press('Invite'),
      fill('Email', 'finance@aurora.example'),
      press('Invite'),
      seen(/Send this link/),
    ),
  },
  { name: 'team-tokens', path: at('team?tab=tokens') },
  { name: 'team-new-token', path: at('team?tab=tokens'), open: press('Create token') },
  { name: 'team-rules', path: at('team?tab=rules') },
  {
    name: 'team-rule',
    path: at('team?tab=rules'),
    open: (page) => page.getByRole('switch', { name: 'Require a second person for payouts' }).press('Space'),
  },
  { name: 'team-roles', path: at('team?tab=roles') },
  {
    name: 'settings-forget-buyers',
    path: at('settings'),
    open: steps(
      (page) => page.getByRole('switch', { name: 'Remove buyer data' }).press('Space'),
      (page) =>
        page.getByRole('region', { name: 'Buyer data' }).getByRole('button', { name: 'Save' }).click(),
      seen('Within an hour'),
    ),
  },
  { name: 'settings-accent', path: at('settings'), open: steps(fill('Accent', '#ffcc00'), seen(/^Use #/)) },
  { name: 'settings-payments', path: at('settings'), open: fill('IBAN of the paying account', 'DE89') },
  { name: 'settings-group', path: at('settings'), open: firstRow },
  { name: 'settings-channel', path: at('settings'), open: press('Add channel') },
  {
    name: 'settings-channel-added',
    path: at('settings'),
    open: steps(
      press('Add channel'),
      fill('Name', 'ops'),
      fill('Incoming webhook URL', 'https://hooks.slack.com/services/T1/B1/abcd'),
      press('Add channel'),
      seen(/hooks.slack.com\/…abcd/),
    ),
  },
  { name: 'settings-channel-menu', path: at('settings'), open: press('Actions for ops') },
  {
    name: 'settings-channel-test',
    path: at('settings'),
    open: steps(press('Send test to ops'), seen(/Not delivered/)),
  },
  { name: 'settings-channel-edit', path: at('settings'), open: choose('Actions for ops', 'Edit') },
  { name: 'settings-channel-off', path: at('settings'), open: choose('Actions for ops', 'Turn off') },
  { name: 'settings-channel-remove', path: at('settings'), open: choose('Actions for ops', 'Remove') },

  { name: 'sandbox-again', path: at('sandbox'), open: press('Copy the live program again…') },
  { name: 'sandbox-demo', path: at('sandbox'), open: press('Load demo data…') },
  { name: 'sandbox-remove', path: at('sandbox'), open: press('Remove…') },
  {
    name: 'sandbox-rehearsal',
    path: '/p/aurora-sandbox/payouts',
    open: openGuide,
  },
  { name: 'sandbox-inside', path: '/p/aurora-sandbox/sandbox' },
  { name: 'sandbox-advance', path: '/p/aurora-sandbox/payouts', open: press('Advance clock…') },
  {
    name: 'sandbox-recorded',
    path: '/p/aurora-sandbox/sandbox',
    open: steps(
      fill('Code', 'ALICE'),
      fill('Amount', '12.00'),
      press('Record purchase'),
      seen(/Recorded 12.00 USD/),
    ),
  },

  { name: 'account', path: '/account' },
  { name: 'account-notifications', path: '/account/notifications' },
  {
    name: 'account-sessions',
    path: '/account',
    open: steps(press('Sign out everywhere else'), seen('You’ll stay signed in only here')),
  },
  {
    name: 'account-codes',
    path: '/account',
    open: steps(press('Set up authenticator app'), seen(/^1\. Scan/)),
  },

  // These states come last, because they change the data.
  {
    name: 'webhooks-secret-shown',
    path: at('webhooks'),
    open: onEndpoint(
      steps(choose('More', 'Rotate secret'), press('Add new secret'), seen('Shown only once')),
    ),
  },
  { name: 'webhooks-secret-goes-on', path: at('webhooks'), open: onEndpoint(press('Continue')) },
];
