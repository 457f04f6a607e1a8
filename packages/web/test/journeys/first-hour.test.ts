import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { asRole } from '../../../server/test/admin.ts';
import { signIn } from '../../../server/test/staff.ts';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';

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

const copied = async (page: Page): Promise<string> => {
  await page.getByRole('button', { name: 'Copy command' }).click();
  return page.evaluate<string>('navigator.clipboard.readText()');
};

const minutesOld = (date: string): number => Math.abs(Date.now() - Date.parse(date)) / 60_000;

test.skipIf(!hasBrowser)(
  'links the first steps and checks them off, and shows a command that records a Test purchase',
  async () => {
    const page = await open('owner', '/p/fresh/overview', { publisherId: 'fresh' });
    const list = page.getByRole('region', { name: 'First steps' });
    await list.getByText('0 of 6 done').waitFor();
    await expectAccessible(page, 'the first steps');
    expect(await page.getByText('curl').count(), 'commands without a code').toBe(0);
    await list.getByRole('link', { name: 'Create a creator group' }).click();
    await page.getByRole('dialog', { name: 'New group' }).waitFor();
    await service().provision(
      '{ publisher: { id: fresh }, groups: [ { id: first, name: First, default: true, revShare: 10 } ] }',
    );
    await page.goto(`${service().url}/p/fresh/overview`);
    await list.getByRole('link', { name: 'Add a creator with a code' }).click();
    const form = page.getByRole('dialog', { name: 'Add creator' });
    await form.getByLabel('Name').fill('Kira');
    await form.getByLabel('Code', { exact: true }).fill('KIRA-1ST');
    await form.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('heading', { name: 'Kira' }).waitFor();
    await page.goto(`${service().url}/p/fresh/overview`);
    await list.getByText('2 of 6 done').waitFor();
    const command = await copied(page);
    expect(command).not.toContain('2026-01-31');
    const { body } = await (await asRole(service(), 'owner', 'fresh'))('POST', '/keys', {
      name: 'backend',
      kind: 'secret',
    });
    const recorded = await paste(command, body.key);
    expect(recorded).toMatchObject({ code: 'KIRA-1ST', status: 'Test', subtotal: 999 });
    expect(minutesOld(recorded.transactionDate)).toBeLessThan(10);
    // The list updates without a reload, because the page polls.
    await list.getByText('4 of 6 done').waitFor();
    await page.getByRole('table', { name: 'Latest purchases' }).getByText(recorded.transactionId).waitFor();
    await list.getByRole('button', { name: 'Dismiss' }).click();
    await list.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByText(recorded.transactionId).waitFor();
    expect(await list.count()).toBe(0);
  },
  60_000,
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
    const shown = page.getByRole('dialog', { name: 'Command to run' });
    const command = (await shown.locator('[data-shown-once]').textContent()) ?? '';
    const recorded = await paste(command, 'none is needed');
    expect(recorded).toMatchObject({ status: 'Normal', subtotal: 999 });
    expect(Math.abs(Date.parse(recorded.transactionDate) - Date.parse(to))).toBeLessThan(600_000);
    await shown.getByRole('button', { name: 'I’ve saved it' }).click();
    expect(await page.content()).not.toContain('svc_sk_');
  },
);
