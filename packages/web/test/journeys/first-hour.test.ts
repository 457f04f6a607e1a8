import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { asRole } from '../../../server/test/admin.ts';
import { signIn } from '../../../server/test/staff.ts';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';
import { isSettled } from '../screens.ts';

const { open, service } = useDashboard();

beforeAll(async () => {
  if (hasBrowser) await service().provision('{ publisher: { id: fresh, name: Fresh } }');
});

/** Runs a command asynchronously, because the service runs in this process. */
const paste = async (command: string, key: string) => {
  const { stdout } = await promisify(execFile)('bash', ['-c', command], {
    env: { ...process.env, KEY: key },
    timeout: 20_000,
  });
  return JSON.parse(stdout).transaction;
};

const copied = async (part: Page | Locator, name: string): Promise<string> => {
  await part.getByRole('button', { name }).click();
  const page = 'page' in part ? part.page() : part;
  return page.evaluate<string>('navigator.clipboard.readText()');
};

/** Returns the filled buttons, which stand for the next step. */
const mainButtons = (part: Locator): Promise<string[]> =>
  part
    .locator('.mantine-Button-root')
    .and(part.locator(':not([data-variant]), [data-variant=filled]'))
    .filter({ visible: true })
    .allTextContents();

/** Expects the shown command to have a ground of its own and no broken lines, in both themes. */
async function expectReadable(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    const [lines, texts, ground, dialog] = await page.evaluate<[number, number, string, string]>(`(() => {
      const command = document.querySelector('[data-shown-once]');
      const style = getComputedStyle(command);
      const height = command.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
      return [
        Math.round(height / parseFloat(style.lineHeight)),
        command.textContent.split('\\n').length,
        style.backgroundColor,
        getComputedStyle(command.closest('.mantine-Modal-content')).backgroundColor,
      ];
    })()`);
    expect(lines, 'shown lines').toBe(texts);
    expect(ground, colorScheme).not.toBe(dialog);
  }
}

/** Fills in and saves the open form for a new group. */
const newGroup = async (page: Page, id: string): Promise<void> => {
  const form = page.getByRole('dialog');
  await form.getByRole('textbox', { name: 'ID' }).fill(id);
  await form.getByRole('textbox', { name: 'Name' }).fill(id);
  await form.getByRole('textbox', { name: /Share/ }).fill('10');
  await form.getByRole('button', { name: 'Create group' }).click();
};

const minutesOld = (date: string): number => Math.abs(Date.now() - Date.parse(date)) / 60_000;

test.skipIf(!hasBrowser)(
  'links the first steps and checks them off, and shows a command that records a Test purchase',
  async () => {
    const page = await open('owner', '/p/fresh/overview', { publisherId: 'fresh' });
    const asked: number[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/first-steps')) asked.push(Date.now());
    });
    await page.reload({ waitUntil: 'commit' });
    asked.length = 0;
    const list = page.getByRole('region', { name: 'First steps' });
    await list.getByText('0 of 5 done').waitFor();
    // Its parts share a request, which is repeated every five seconds.
    const gaps = asked.slice(1).map((at, n) => at - (asked[n] ?? 0));
    expect(Math.min(...gaps, 5_000), 'time between requests').toBeGreaterThan(3_000);
    await expectAccessible(page, 'the first steps');
    // The list is the only start, and there is no period to choose yet.
    expect(await mainButtons(page.getByRole('main'))).toEqual(['Create group']);
    expect(await page.getByRole('radiogroup', { name: 'Days' }).count()).toBe(0);
    expect(await page.getByLabel('Compare with').count()).toBe(0);
    expect(await page.getByText('No purchases in this period').count()).toBe(0);
    expect(await page.getByText('curl').count(), 'commands without a code').toBe(0);
    // A shop's connector is the other way to report purchases, from the start.
    await list.getByRole('link', { name: 'Add a connector' }).click();
    await page.getByRole('dialog', { name: 'Add connector' }).waitFor();
    await page.goBack();
    // The forms open over Overview, and the next step appears once a form is saved.
    await list.getByRole('button', { name: 'Create group' }).click();
    await newGroup(page, 'first');
    await list.getByText('1 of 5 done').waitFor();
    expect(await mainButtons(page.getByRole('main'))).toEqual(['Add creator']);
    await list.getByRole('button', { name: 'Add creator' }).click();
    const form = page.getByRole('dialog', { name: 'Add creator' });
    await form.getByLabel('Name').fill('Kira');
    await form.getByLabel('Code', { exact: true }).fill('KIRA-1ST');
    await form.getByRole('button', { name: 'Add' }).click();
    await list.getByText('2 of 5 done').waitFor();
    expect(new URL(page.url()).pathname).toBe('/p/fresh/overview');
    expect(await page.getByText('curl').count(), 'commands beside the one with a new key').toBe(0);
    expect(await mainButtons(page.getByRole('main'))).toEqual(['Create key and command']);
    expect(await list.getByRole('button', { name: /^Create .*key/ }).count(), 'buttons that make a key').toBe(
      1,
    );
    await page.getByRole('button', { name: 'I already have a key' }).click();
    const command = await copied(page, 'Copy command');
    expect(command).not.toContain('2026-01-31');
    expect(command).toContain('$KEY');
    await page.getByRole('button', { name: 'Create key and command' }).click();
    const shown = page.getByRole('dialog', { name: 'Run this command in a terminal' });
    await expectAccessible(page, 'the command with a key');
    await shown.getByText('The key is shown only once').waitFor();
    await shown.getByText('Waiting for your first purchase…').waitFor();
    expect(await mainButtons(shown)).toEqual(['Copy command']);
    const withKey = await copied(shown, 'Copy command');
    expect(withKey).toBe(await shown.locator('[data-shown-once]').textContent());
    await expectReadable(page);
    expect(withKey).toContain(`X-SHARED-SECRET: ${await copied(shown, 'Copy key')}"`);
    const recorded = await paste(withKey, 'none');
    await shown.getByText('Recorded 9.99 USD with Kira’s code.').waitFor();
    const link = await shown.getByRole('link', { name: 'View purchase' }).getAttribute('href');
    expect(link).toBe(`/p/fresh/transactions?open=${recorded.transactionId}`);
    expect(await mainButtons(shown)).toEqual(['Done']);
    // Although its step is done, the dialog with the key stays open until it is closed.
    await list.getByText('3 of 5 done').waitFor();
    await expectAccessible(page, 'the command after its purchase');
    await shown.getByRole('button', { name: 'Done' }).click();
    expect(recorded).toMatchObject({ code: 'KIRA-1ST', status: 'Test', subtotal: 999 });
    expect(minutesOld(recorded.transactionDate)).toBeLessThan(10);
    // A Test purchase isn't part of the totals, which say so and show it.
    await page.getByRole('heading', { name: 'Only test purchases so far' }).waitFor();
    const latest = page.getByRole('region', { name: 'Latest test purchase' });
    await latest.getByRole('link', { name: recorded.transactionId }).waitFor();
    await latest.getByText('9.99').waitFor();
    await expectAccessible(page, 'an overview with only tests');
    await page.getByRole('radiogroup', { name: 'Days' }).waitFor();
    await page.getByRole('table', { name: 'Latest purchases' }).getByText(recorded.transactionId).waitFor();
    await list.getByRole('button', { name: 'Dismiss' }).click();
    await list.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await latest.getByText(recorded.transactionId).waitFor();
    expect(await list.count()).toBe(0);
    // A group without purchases says that they are in another one.
    await service().provision(
      '{ publisher: { id: fresh }, groups: [ { id: second, name: Second, revShare: 5 } ] }',
    );
    for (const screen of ['overview', 'transactions']) {
      await page.goto(`${service().url}/p/fresh/${screen}?group=second`);
      await page.getByRole('heading', { name: 'No purchases in Second yet' }).waitFor();
      await page.getByRole('button', { name: 'Show all groups' }).click();
      await page.getByText(recorded.transactionId).first().waitFor();
      expect(new URL(page.url()).searchParams.get('group')).toBeNull();
    }
  },
  120_000,
);

test.skipIf(!hasBrowser)(
  'starts every screen without a group with the group',
  { timeout: 120_000 },
  async () => {
    await service().provision('{ publisher: { id: bare, name: Bare } }');
    const page = await open('owner', '/p/bare/creators', { publisherId: 'bare' });
    await isSettled(page);
    await page.getByRole('button', { name: 'Add creator' }).first().click();
    await newGroup(page, 'bare-one');
    await page.getByRole('dialog', { name: 'Add creator' }).getByLabel('Name').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('members?group=bare-one').waitFor();
    // Without purchases, screens about money offer the next step, and later demo data.
    await page.goto(`${service().url}/p/bare/payouts`);
    await page.getByRole('button', { name: 'Add creator' }).click();
    const form = page.getByRole('dialog', { name: 'Add creator' });
    await form.getByLabel('Name').fill('Bo');
    await form.getByLabel('Code', { exact: true }).fill('BO-1ST');
    await form.getByRole('button', { name: 'Add' }).click();
    for (const path of ['payouts', 'payouts/made', 'payouts/owed', 'payouts/month', 'ledger']) {
      await page.goto(`${service().url}/p/bare/${path}`);
      await page.getByRole('button', { name: 'Load demo data' }).waitFor();
    }
    await expectAccessible(page, 'the ledger of a new publisher');
    await service().provision('{ publisher: { id: barer, name: Barer } }');
    const other = await open('manager', '/p/barer/bounties', { publisherId: 'barer' });
    await isSettled(other);
    await other.getByRole('button', { name: 'Create bounty' }).first().click();
    await newGroup(other, 'barer-one');
    await other
      .getByRole('dialog', { name: 'Create bounty' })
      .getByText('For creators in barer-one')
      .waitFor();
  },
);

test.skipIf(!hasBrowser)(
  'creates a sandbox command with its own key, which records at the sandbox clock',
  async () => {
    const owner = await asRole(service(), 'owner', 'aurora');
    const { body } = await owner('POST', '/sandbox', { replaces: null });
    const { publisherId } = body.sandbox;
    const days = 40;
    const to = new Date(Date.now() + days * 86_400_000).toISOString();
    const { ask } = await signIn(service(), 'owner');
    const advanced = await ask('POST', `/admin/v1/publishers/${publisherId}/clock`, { to, aheadMs: 0 });
    expect(advanced.status, advanced.text).toBe(200);
    const page = await open('owner', `/p/${publisherId}/sandbox`);
    await page.getByRole('button', { name: 'Create key and command' }).click();
    const shown = page.getByRole('dialog', { name: 'Run this command in a terminal' });
    const command = (await shown.locator('[data-shown-once]').textContent()) ?? '';
    const recorded = await paste(command, 'none is needed');
    expect(recorded).toMatchObject({ status: 'Normal', subtotal: 999 });
    expect(Math.abs(Date.parse(recorded.transactionDate) - Date.parse(to))).toBeLessThan(600_000);
    await shown.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain('svc_sk_');
  },
);

test.skipIf(!hasBrowser)('keeps the command on Transactions once its purchase arrives', async () => {
  await service().provision(
    '{ publisher: { id: keyed }, groups: [ { id: main, default: true, revShare: 10, members: [ { id: acc_keyed, name: Mia, codes: [ { code: KEYED } ] } ] } ] }',
  );
  const page = await open('owner', '/p/keyed/transactions', { publisherId: 'keyed' });
  const shown = page.getByRole('dialog', { name: 'Run this command in a terminal' });
  // Without purchases, there is nothing to filter or export.
  await page.getByRole('button', { name: 'Create key and command' }).click();
  expect(await page.getByText('Add filter').count()).toBe(0);
  await paste((await shown.locator('[data-shown-once]').textContent()) ?? '', 'none');
  await shown.getByText('Recorded 9.99 USD with Mia’s code.').waitFor();
  await shown.getByRole('link', { name: 'View purchase' }).click();
  await page.getByRole('dialog', { name: 'Purchase' }).getByText('Battle pass').waitFor();
  expect(await page.content(), 'keys on the page').not.toContain('svc_sk_');
});
