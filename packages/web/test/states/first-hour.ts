import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { signIn } from '../../../server/test/staff.ts';
import type { Dashboard, PageOptions } from '../browser.ts';
import { fill, openGuide, press, type Step, seen, steps } from './opening.ts';
import type { State } from './state.ts';

const at = (screen: string): string => `/p/new/${screen}`;
const inSandbox = (screen: string): string => `/p/new-sandbox/${screen}`;

/** Opens a page as the owner of a publisher without any data. */
export async function openFirstHour(
  { service, openAs }: Pick<Dashboard, 'service' | 'openAs'>,
  options: PageOptions,
): Promise<Page> {
  await service().provision('{ publisher: { id: new, name: Nimbus Games } }');
  const person = await signIn(service(), 'owner', {
    email: 'nora@nimbus.example',
    name: 'Nora New',
    publisherId: 'new',
  });
  return openAs(person, at('overview'), options);
}

const emptyScreens = ['transactions', 'creators', 'shares', 'bounties', 'payouts', 'ledger', 'connectors'];

const create: Step = (page) => page.getByRole('dialog').getByRole('button', { name: 'Create group' }).click();

const createGroup = steps(
  press('Create group'),
  fill('ID', 'nimbus'),
  fill('Name', 'Nimbus Creators'),
  (page) => page.getByRole('textbox', { name: /Share/ }).fill('10'),
);

const addCreator = steps(
  press('Add creator'),
  (page) => page.getByRole('dialog').getByLabel('Name').fill('Kira'),
  (page) => page.getByRole('dialog').getByLabel('Code', { exact: true }).fill('KIRA'),
);

const loaded: Step = (page) =>
  page.waitForURL((url) => url.pathname === inSandbox('overview'), { timeout: 120_000 });

/**
 * The first hour of a new publisher, in order: each state leaves the data for the next one, so they are shown as one
 * series.
 */
export const firstHourStates: readonly State[] = [
  { name: 'first-hour-01-landing', path: at('overview'), open: seen('0 of 5 done') },
  ...emptyScreens.map((screen) => ({ name: `first-hour-02-${screen}`, path: at(screen) })),
  { name: 'first-hour-03-group', path: at('overview'), open: createGroup },
  {
    name: 'first-hour-04-group-created',
    path: at('overview'),
    open: steps(createGroup, create, seen('1 of 5 done')),
  },
  { name: 'first-hour-05-creator', path: at('overview'), open: addCreator },
  {
    name: 'first-hour-06-creator-added',
    path: at('overview'),
    open: steps(addCreator, press('Add creator'), seen('2 of 5 done')),
  },
  {
    name: 'first-hour-07-command',
    path: at('overview'),
    open: steps(press('Create key and command'), seen('Waiting for your first purchase…')),
  },
  {
    name: 'first-hour-07-recorded',
    path: at('overview'),
    // The dialog stays open while its command runs.
    open: async (page) => {
      const command = await page.locator('[data-shown-once]').textContent();
      await promisify(execFile)('bash', ['-c', command ?? ''], { timeout: 20_000 });
      await page.getByText(/^Recorded 9\.99 USD/).waitFor();
    },
  },
  {
    name: 'first-hour-08-demo-data',
    path: at('overview'),
    // The dialog with the command stays open until it is closed.
    open: steps(press('Done'), press('Load demo data'), loaded, seen('Step 1 of 7:')),
  },
  { name: 'first-hour-09-rehearsal', path: inSandbox('overview'), open: openGuide },
  {
    name: 'first-hour-10-advance',
    path: inSandbox('payouts'),
    open: (page) => page.getByRole('button', { name: 'Advance clock…' }).click(),
  },
  {
    name: 'first-hour-11-due',
    path: inSandbox('payouts'),
    open: steps(
      (page) => page.getByRole('button', { name: 'Advance clock…' }).click(),
      press('+ 30 days'),
      seen('Step 3 of 7:'),
    ),
  },
  {
    name: 'first-hour-12-create',
    path: inSandbox('payouts'),
    open: press(/^Create( \d+)? payouts?$/),
  },
];
