import type { Page } from 'playwright-core';
import { signIn } from '../../server/test/staff.ts';
import type { Dashboard, PageOptions } from './browser.ts';
import { isSettled } from './screens.ts';
import { applicationStates, failingApplicationStates } from './states/applications.ts';
import { connectorStates } from './states/connectors.ts';
import { operationStates } from './states/operations.ts';
import { outsideStates } from './states/outside.ts';
import { programStates as otherProgramStates } from './states/program.ts';
import type { State } from './states/state.ts';

const screens = [
  'overview',
  'transactions',
  'creators',
  'shares',
  'bounties',
  'payouts',
  'ledger',
  'connectors',
  'webhooks',
  'developers',
  'audit',
  'team',
  'sandbox',
  'settings',
];

const everyScreen = (where: string, as: string, answers?: State['answers']): State[] =>
  screens.map((screen) => ({
    name: `${screen}${as}`,
    path: `/p/${where}/${screen}`,
    ...(answers !== undefined && { answers }),
  }));

/** Every screen, with the demo's months of data and with an empty publisher. */
export const screenStates: readonly State[] = [
  ...everyScreen('aurora', ''),
  ...everyScreen('quiet', '-empty'),
];

/** Every screen while the service fails or doesn't respond. */
export const troubledStates: readonly State[] = [
  ...everyScreen('aurora', '-failing', 'failing'),
  {
    name: 'transactions-drawer-failing',
    path: '/p/aurora/transactions?open=demo-order-7',
    answers: 'failing',
  },
  { name: 'creators-drawer-failing', path: '/p/aurora/creators?open=acc_alice', answers: 'failing' },
  { name: 'payouts-one-failing', path: '/p/aurora/payouts/some', answers: 'failing' },
  { name: 'payouts-month-failing', path: '/p/aurora/payouts/month', answers: 'failing' },
  { name: 'connectors-one-failing', path: '/p/aurora/connectors/some', answers: 'failing' },
  { name: 'webhooks-endpoint-failing', path: '/p/aurora/webhooks/some', answers: 'failing' },
  {
    name: 'developers-request-failing',
    path: '/p/aurora/developers?tab=requests&open=1',
    answers: 'failing',
  },
  { name: 'developers-activity-failing', path: '/p/aurora/developers?tab=activity', answers: 'failing' },
  { name: 'audit-drawer-failing', path: '/p/aurora/audit?open=1', answers: 'failing' },
  ...everyScreen('aurora', '-loading', 'never'),
  { name: 'creators-drawer-loading', path: '/p/aurora/creators?open=acc_alice', answers: 'never' },
  { name: 'connectors-one-loading', path: '/p/aurora/connectors/some', answers: 'never' },
  { name: 'payouts-one-loading', path: '/p/aurora/payouts/some', answers: 'never' },
  ...failingApplicationStates,
];

/** Dialogs, drawers and tabs of the screens of the program. */
export const programStates: readonly State[] = [...otherProgramStates, ...applicationStates];

export { connectorStates, operationStates, outsideStates };

/** Opens a page as an owner of both the demo publisher and an empty publisher. */
export async function openStates(
  { service, openAs }: Pick<Dashboard, 'service' | 'openAs'>,
  options: PageOptions = {},
): Promise<Page> {
  await service().provision('{ publisher: { id: quiet, name: Quiet Studio } }');
  const forLong = { confirmedMsAgo: -3_600_000 }; // a whole run takes longer than a sign-in stays fresh
  const who = { email: 'owner@aurora.example', name: 'Olga Owner' };
  await signIn(service(), 'owner', who);
  const person = await signIn(service(), 'owner', { ...who, ...forLong, publisherId: 'quiet' });
  // This request fails for a second page on the same service, because the sandbox already exists.
  await person.ask('POST', '/admin/v1/publishers/aurora/sandbox', { replaces: null });
  return openAs(person, '/p/aurora/overview', options);
}

/** Shows a state on a page that may be showing another state, without reloading where possible. */
export async function show(page: Page, { path, open, answers, isOutside }: State): Promise<void> {
  await closeAll(page);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  if (answers === undefined && isOutside === undefined)
    await page.evaluate(`window.history.pushState({}, '', ${JSON.stringify(path)})`);
  else {
    if (answers !== undefined) await breakService(page, answers);
    await page.goto(new URL(path, page.url()).href);
  }
  if (answers === 'never') await page.waitForTimeout(1_000);
  else await isSettled(page);
  if (open === undefined) return;
  await open(page);
  await page.mouse.move(0, 0);
  await isSettled(page);
}

const over = '[role=dialog], [role=menu]';

async function closeAll(page: Page): Promise<void> {
  const isOver = async (): Promise<boolean> =>
    (await page.locator(over).filter({ visible: true }).count()) > 0;
  // Presses Escape at least once. A menu is hidden while its button is out of view, and its reappearance would disturb
  // the next state. On a busy machine, closing takes a while.
  for (let tries = 0; tries === 0 || (tries < 60 && (await isOver())); tries += 1) {
    if (tries % 6 === 0) {
      const discard = page.getByRole('button', { name: 'Discard changes' });
      if (await discard.isVisible()) await discard.click();
      else await page.keyboard.press('Escape');
    }
    await page.waitForTimeout(50);
  }
}

/** Makes requests for the publisher's data fail or hang. The session still loads. */
async function breakService(page: Page, answers: 'failing' | 'never'): Promise<void> {
  await page.route('**/admin/v1/publishers/**', async (route) => {
    if (answers === 'failing')
      await route.fulfill({
        status: 429, // isn't retried, so that the page fails at once
        headers: { 'x-request-id': '0199c1de-7a3b-7000-8000-5f2a9be01c44' },
        json: { code: 'RateLimited', message: 'Too many requests. Try again in a moment.' },
      });
  });
}
