import type { Page } from 'playwright-core';
import { signIn } from '../../server/test/staff.ts';
import type { Dashboard, PageOptions } from './browser.ts';
import { isSettled } from './screens.ts';
import { operationStates } from './states/operations.ts';
import { outsideStates } from './states/outside.ts';
import { programStates } from './states/program.ts';
import type { State } from './states/state.ts';

const screens = [
  'overview',
  'transactions',
  'creators',
  'shares',
  'bounties',
  'payouts',
  'ledger',
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

/** With the months of the demo, and with a publisher that has nothing yet. */
export const screenStates: readonly State[] = [
  ...everyScreen('aurora', ''),
  ...everyScreen('quiet', '-empty'),
];

/** What is shown while the service does not answer, or answers that it cannot. */
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
  { name: 'webhooks-endpoint-failing', path: '/p/aurora/webhooks/some', answers: 'failing' },
  {
    name: 'developers-request-failing',
    path: '/p/aurora/developers?tab=requests&open=1',
    answers: 'failing',
  },
  { name: 'audit-drawer-failing', path: '/p/aurora/audit?open=1', answers: 'failing' },
  ...everyScreen('aurora', '-loading', 'never'),
];

export { operationStates, outsideStates, programStates };

/** A page of an owner of the demo's publisher, and of one without anything. */
export async function openStates(
  { service, openAs }: Pick<Dashboard, 'service' | 'openAs'>,
  options: PageOptions = {},
): Promise<Page> {
  await service().provision('{ publisher: { id: quiet, name: Quiet Studio } }');
  const forLong = { confirmedMsAgo: -3_600_000 }; // all of it takes longer than a sign-in is fresh
  const who = { email: 'owner@aurora.example', name: 'Olga Owner' };
  await signIn(service(), 'owner', who);
  const person = await signIn(service(), 'owner', { ...who, ...forLong, publisherId: 'quiet' });
  // Once: another page of the same service finds it.
  await person.ask('POST', '/admin/v1/publishers/aurora/sandbox', { replaces: null });
  return openAs(person, '/p/aurora/overview', options);
}

/** Brings a state onto a page that may show another one, without loading it anew where that can be. */
export async function show(page: Page, { path, open, answers, isOutside }: State): Promise<void> {
  await closeAll(page);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  if (answers === undefined && isOutside === undefined)
    await page.evaluate(`window.history.pushState({}, '', ${JSON.stringify(path)})`);
  else {
    if (answers !== undefined) await trouble(page, answers);
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
  // A menu hides by itself while what opened it is out of sight, and what opens the next would close it: so Escape at
  // least once. On a busy machine what it closes takes its time to go.
  for (let tries = 0; tries === 0 || (tries < 60 && (await isOver())); tries += 1) {
    if (tries % 6 === 0) await page.keyboard.press('Escape');
    await page.waitForTimeout(50);
  }
}

/** The publisher's data alone: who is signed in is known. */
async function trouble(page: Page, answers: 'failing' | 'never'): Promise<void> {
  await page.route('**/admin/v1/publishers/**', async (route) => {
    if (answers === 'failing')
      await route.fulfill({
        status: 503,
        headers: { 'x-request-id': '0199c1de-7a3b-7000-8000-5f2a9be01c44' },
        json: { code: 'Unavailable', message: 'The database does not answer. Try again in a moment.' },
      });
  });
}
