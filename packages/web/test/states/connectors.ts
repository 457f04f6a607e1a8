import type { Page } from 'playwright-core';
import { fill, firstRow, press, type Step, seen, steps } from './opening.ts';
import type { State } from './state.ts';

const at = (path: string): string => `/p/aurora/${path}`;

/** Adds a connector with a secret unless it exists, and opens its page. */
const connector =
  (provider: string, name: string, settings: object = {}): Step =>
  async (page: Page) => {
    const body = JSON.stringify({ name, provider, settings, secret: 'whsec_0123456789abcdef' });
    await page.evaluate(`(async () => {
      const path = '/admin/v1/publishers/aurora/connectors';
      const headers = { 'content-type': 'application/json' };
      await (await fetch(path, { method: 'POST', headers, body: ${JSON.stringify(body)} })).text();
    })()`);
    await page.reload();
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { name, exact: true }).waitFor();
  };

const stripe = connector('stripe', 'Web shop');

const own = connector('generic', 'Own shop');

const toList: Step = (page) => page.getByRole('link', { name: 'All connectors' }).click();

const openTab =
  (name: string): Step =>
  (page) =>
    page.getByRole('tab', { name }).click();

const editSettings = (of: Step): Step => steps(of, openTab('Settings'), press('Edit settings'));

/** Sends a sample order with a code. */
const sample =
  (code: string): Step =>
  (page) =>
    page.evaluate(`(async () => {
      const path = '/admin/v1/publishers/aurora/connectors/' + location.pathname.split('/').at(-1) + '/tests';
      const headers = { 'content-type': 'application/json' };
      await (await fetch(path, { method: 'POST', headers, body: '{"code":"${code}"}' })).text();
    })()`);

/** Sends a request without a signature to the connector on the page. */
const unsigned: Step = async (page) => {
  const address = await page.getByText('/hooks/v1/').first().textContent();
  await page.evaluate(
    `fetch(${JSON.stringify(address)}, { method: 'POST', body: '{}' }).then((answer) => answer.text())`,
  );
};

/** Shows the connector's events. Sends a sample purchase unless an earlier state did. */
const events = steps(stripe, async (page) => {
  const [setup, list] = [page.getByRole('tab', { name: 'Setup' }), page.getByRole('tab', { name: 'Events' })];
  const recorded = page.getByRole('table', { name: 'Events' }).getByText('Recorded').first();
  if ((await list.getAttribute('aria-selected')) !== 'true') {
    await setup.click();
    await steps(press('Send sample'), seen('Sample passed.'))(page);
    await list.click();
  }
  await recorded.waitFor();
});

/** Dialogs, drawers and tabs of Connectors. */
export const connectorStates: readonly State[] = [
  { name: 'connectors-add', path: at('connectors'), open: press('Add connector') },
  {
    name: 'connectors-add-incomplete',
    path: at('connectors'),
    open: steps(press('Add connector'), fill('Name', ''), press('Add connector'), seen('Name is required.')),
  },
  { name: 'connectors-gone', path: at('connectors/gone') },
  { name: 'connectors-setup', path: at('connectors'), open: stripe },
  {
    name: 'connectors-setup-xsolla',
    path: at('connectors'),
    open: connector('xsolla', 'Xsolla of the game'),
  },
  { name: 'connectors-setup-own', path: at('connectors'), open: own },
  {
    name: 'connectors-setup-preset',
    path: at('connectors'),
    open: connector('generic', 'Stash', { generic: { preset: 'stash' } }),
  },
  {
    name: 'connectors-setup-paddle',
    path: at('connectors'),
    open: connector('paddle', 'Paddle’s sandbox', { isTestAccount: true }),
  },
  {
    name: 'connectors-setup-fastspring',
    path: at('connectors'),
    open: connector('fastspring', 'FastSpring'),
  },
  { name: 'connectors-setup-tebex', path: at('connectors'), open: connector('tebex', 'Tebex') },
  {
    name: 'connectors-setup-steam',
    path: at('connectors'),
    open: connector('steam', 'Steam', { steamAppId: '480' }),
  },
  {
    name: 'connectors-settings-edit-steam',
    path: at('connectors'),
    open: editSettings(connector('steam', 'Steam', { steamAppId: '480' })),
  },
  {
    name: 'connectors-setup-waiting',
    path: at('connectors'),
    open: steps(stripe, press('Wait for a test event'), seen('Request from the provider')),
  },
  {
    name: 'connectors-setup-refused',
    path: at('connectors'),
    open: steps(stripe, press('Wait for a test event'), unsigned, seen('The request has no signature')),
  },
  {
    name: 'connectors-setup-passed',
    path: at('connectors'),
    open: steps(stripe, press('Send sample'), seen('Sample passed.')),
  },
  {
    name: 'connectors-list',
    path: at('connectors'),
    open: steps(stripe, toList, own, toList, seen('Own shop')),
  },
  { name: 'connectors-events', path: at('connectors'), open: events },
  { name: 'connectors-event', path: at('connectors'), open: steps(events, firstRow, seen('Parsed values')) },
  {
    name: 'connectors-events-none',
    path: at('connectors'),
    open: steps(
      events,
      (page) => page.getByLabel('Status').selectOption('Failed'),
      seen('No matching events'),
    ),
  },
  {
    name: 'connectors-missing-codes',
    path: at('connectors'),
    open: steps(
      stripe,
      sample('LUNA'),
      sample('sol'),
      (page) => page.reload(),
      openTab('Events'),
      seen('luna'),
    ),
  },
  { name: 'connectors-settings', path: at('connectors'), open: steps(stripe, openTab('Settings')) },
  { name: 'connectors-settings-edit', path: at('connectors'), open: editSettings(stripe) },
  {
    name: 'connectors-settings-edit-renewals',
    path: at('connectors'),
    open: editSettings(connector('paddle', 'Paddle’s sandbox', { isTestAccount: true })),
  },
  { name: 'connectors-settings-edit-own', path: at('connectors'), open: editSettings(own) },
  {
    name: 'connectors-settings-edit-wrong',
    path: at('connectors'),
    open: steps(
      editSettings(own),
      fill('Signed text', '{time}'),
      fill('Creator code', 'order.code'),
      press('Save'),
      seen('Start with a slash'),
    ),
  },
  { name: 'connectors-pause', path: at('connectors'), open: steps(stripe, press('More', 'Pause…')) },
  { name: 'connectors-remove', path: at('connectors'), open: steps(stripe, press('More', 'Remove…')) },
];
