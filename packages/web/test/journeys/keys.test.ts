import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { until } from '../../../server/test/attribution-process.ts';
import { purchase } from '../../../server/test/fixtures.ts';
import { startService } from '../../../server/test/test-service.ts';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';
import { addFilter } from '../filters.ts';

const { open, service, keys } = useDashboard();

const opens = async (key: string): Promise<number> =>
  (await service().call('GET', '/v1/attributions/ping', { key })).status;

test.skipIf(!hasBrowser)(
  'shows a key only once, even after Back, and a revoked key stops working within 5 s',
  async () => {
    const page = await open('developer', '/p/aurora/developers');
    await page.getByRole('button', { name: 'Create API key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create API key' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('game server');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const shown = page.getByRole('dialog', { name: 'New API key' });
    await shown.waitFor();
    await shown.getByRole('button', { name: 'Copy' }).click();
    const key = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(key).toMatch(/^svc_sk_/);
    expect(await opens(key)).toBe(200);
    await page.getByRole('button', { name: 'I’ve saved it' }).click();
    await page.getByRole('tab', { name: 'Snippets' }).click();
    await page.getByText('GAME_SERVER_KEY').first().waitFor();
    for (const step of ['goBack', 'goForward', 'goBack', 'reload'] as const) {
      await page[step]();
      await page.getByRole('heading', { name: 'Developers' }).waitFor();
      expect(await page.content()).not.toContain(key);
    }
    const stored = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href])',
    );
    expect(stored).not.toContain(key);
    await page.getByRole('button', { name: 'Actions for game server' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('dialog', { name: 'Revoke game server?' }).waitFor();
    await page.getByRole('button', { name: 'Revoke key', exact: true }).click();
    const revokedMs = performance.now();
    await page
      .getByRole('row', { name: /game server/ })
      .getByText('Revoked')
      .waitFor();
    await until('the key to stop working', async () => (await opens(key)) === 401);
    expect(performance.now() - revokedMs).toBeLessThan(5_500);
  },
);

test.skipIf(!hasBrowser)(
  'explains how to get a password to a person who has nothing to confirm with',
  async () => {
    const page = await open('developer', '/p/aurora/developers', {
      confirmedMsAgo: 600_000,
      email: 'link@example.com',
    });
    await page.getByRole('button', { name: 'Create API key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create API key' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('never made');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const asked = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await asked.getByText('You have no password and no passkey').waitFor();
    await asked.getByText('npx attribution staff reset-password --email link@example.com').waitFor();
    await expectAccessible(page, 'the dialog');
  },
);

test.skipIf(!hasBrowser)('rotates a key, and Back closes the dialog that shows the new one', async () => {
  const page = await open('owner', '/p/aurora/developers?tab=requests');
  await page.getByRole('tab', { name: 'Keys' }).click();
  await page.getByRole('button', { name: 'Actions for backend' }).click();
  await page.getByRole('menuitem', { name: 'Rotate' }).click();
  await page.getByRole('dialog', { name: 'Rotate backend' }).waitFor();
  await page.getByRole('button', { name: 'Create new key' }).click();
  const shown = page.getByRole('dialog', { name: 'New API key backend 2' });
  const key = (await shown.locator('[data-shown-once]').textContent()) ?? '';
  expect([await opens(key), await opens(keys().backend)]).toEqual([200, 200]);
  await page.goBack();
  await shown.waitFor({ state: 'detached' });
  await page.goForward();
  await page.getByRole('row', { name: /backend 2/ }).waitFor();
  expect(await page.content()).not.toContain(key);
});

test.skipIf(!hasBrowser)('lists a misspelled name with its key, which can be made strict', async () => {
  const sends = async (): Promise<number> => {
    const json = { ...purchase(), skuID: 'battle-pass' };
    return (await service().call('POST', '/v1/attributions/transactions', { key: keys().backend, json }))
      .status;
  };
  const other = await startService({ beside: service() });
  for (const path of ['?statuss=refund', '?statuss=fraud'])
    await other.call('GET', `/v1/attributions/transactions${path}`, { key: keys().backend });
  await other.close(); // closing saves the counts
  const page = await open('developer', '/p/aurora/developers');
  const ignored = page.getByRole('table', { name: 'Ignored fields' });
  await ignored.getByRole('row', { name: /statuss backend listTransactions 2/ }).waitFor();
  await expectAccessible(page, 'the ignored names');
  expect(await sends()).toBe(200);
  await page.getByRole('button', { name: 'Actions for backend', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Turn on strict mode' }).click();
  await page.getByRole('dialog', { name: 'Turn on strict mode for backend?' }).waitFor();
  await page.getByRole('button', { name: 'Turn on strict mode', exact: true }).click();
  await page.getByRole('row', { name: /^backend .*Strict/ }).waitFor();
  await until('the key to be strict', async () => (await sends()) === 400);
  await page.getByRole('button', { name: 'Actions for backend', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Turn off strict mode' }).click();
  await page.getByRole('button', { name: 'Turn off strict mode', exact: true }).click();
  await until('the key to be tolerant', async () => (await sends()) === 200);
});

/** Waits three seconds at most, because a reload shows the rows later. */
const isShown = (row: Locator): Promise<boolean> =>
  row.waitFor({ timeout: 3_000 }).then(
    () => true,
    () => false,
  );

test.skipIf(!hasBrowser)('shows why a request was refused in two clicks', async () => {
  const body = { ...purchase(), code: 'NOBODY' };
  await service().call('POST', '/v1/attributions/transactions', { key: keys().backend, json: body });
  const page = await open('developer', '/p/aurora/developers');
  await page.getByRole('tab', { name: 'Rejected requests' }).click();
  await until('the refusal', async () => {
    await page.reload();
    return isShown(page.getByRole('row', { name: /not the code of an approved member/ }));
  });
  await page.getByRole('row', { name: /not the code of an approved member/ }).click();
  const drawer = page.getByRole('dialog', { name: 'Rejected request' });
  await drawer.getByText('POST /v1/attributions/transactions').waitFor();
  await drawer.getByText('127.0.0.1').waitFor();
});

test.skipIf(!hasBrowser)('shows rejected codes with their counts, linked to their check', async () => {
  const send = (json: unknown) =>
    service().call('POST', '/v1/attributions/transactions?groupId=moba', { key: keys().backend, json });
  for (let each = 0; each < 3; each += 1) await send(purchase({ code: 'UNKNOWN-1' }));
  await send([purchase({ code: 'MOBA-AL' }), purchase({ code: 'UNKNOWN-2' })]);
  const page = await open('developer', '/p/aurora/developers?tab=requests');
  const row = page.getByRole('row', { name: /UNKNOWN-1/ });
  await until('the refusals', async () => {
    await page.reload();
    return isShown(page.getByRole('row', { name: /UNKNOWN-2/ }));
  });
  expect(await row.count()).toBe(1);
  expect(await row.getByRole('cell', { name: '3', exact: true }).count()).toBe(1);
  await page.getByText('Each request').click();
  await expect.poll(() => row.count()).toBe(3);
  await addFilter(page, 'Creator code');
  await page.keyboard.type('unknown-2');
  await page
    .getByRole('row', { name: /UNKNOWN-2/ })
    .getByText('400')
    .click();
  const drawer = page.getByRole('dialog', { name: 'Rejected request' });
  await drawer.getByText('Creator code', { exact: true }).waitFor();
  await expectAccessible(page, 'the rejected request');
  await drawer.getByRole('link', { name: 'Check code “UNKNOWN-2”' }).click();
  await page.getByText('UNKNOWN-2 is rejected in Aurora MOBA').waitFor();
});

test.skipIf(!hasBrowser)('shows snippets that work as pasted', async () => {
  const page = await open('developer', '/p/aurora/developers?tab=snippets');
  await page.getByText('/v1/attributions/transactions?groupId=').first().waitFor();
  const paste = async (title: string): Promise<string> => {
    await page.getByRole('tab', { name: title }).click();
    await page.getByRole('button', { name: `Copy ${title} snippet` }).click();
    return page.evaluate<string>('navigator.clipboard.readText()');
  };
  const line = await page.getByText(/^export /).textContent();
  const name = /export (\w+)=/.exec(line ?? '')?.[1] ?? '';
  // Runs asynchronously, because the service runs in this process.
  const run = async (program: string, args: string[]): Promise<string> => {
    const env = { ...process.env, [name]: keys().backend };
    return (await promisify(execFile)(program, args, { env, timeout: 20_000 })).stdout;
  };
  const answers = [
    await run('bash', ['-c', await paste('curl')]),
    await run(process.execPath, ['--input-type=module', '-e', await paste('Node')]),
    ...(hasPython() ? [await run('python3', ['-c', await paste('Python')])] : []),
  ];
  for (const answer of answers) {
    expect(answer).toContain('"status":"ok"');
    expect(answer).toContain('"subtotal":999');
  }
});

function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version']);
    return true;
  } catch {
    return false;
  }
}

test.skipIf(!hasBrowser)(
  'shows the latest rejected requests while the keys fail to load, and a single error if both fail',
  async () => {
    const refused = purchase({ code: 'NOBODY' });
    await service().call('POST', '/v1/attributions/transactions', { key: keys().backend, json: refused });
    await until('the refusal to be stored', async () => {
      const { db } = service().testDatabase.database;
      return (await db.selectFrom('refused_request').select('code').execute()).length > 0;
    });
    const page = await open('developer', '/p/aurora/team');
    let failing = /keys|requests/;
    await page.route(/\/admin\/v1\/publishers\/aurora\/(keys|requests)/, (route) =>
      failing.test(route.request().url())
        ? route.fulfill({ status: 429, json: { code: 'RateLimited', message: 'Not now.' } }) // not retried
        : route.continue(),
    );
    await page.getByRole('link', { name: 'Developers' }).click();
    const troubles = page.getByRole('main').getByRole('alert');
    await troubles.getByText('Couldn’t load this page').waitFor();
    expect(await troubles.count()).toBe(1);
    failing = /keys/;
    await troubles.getByRole('button', { name: 'Try again' }).click();
    const latest = page.getByRole('table', { name: 'Latest rejected requests' });
    await latest.getByRole('button', { name: 'InvalidInput' }).first().waitFor();
    expect(await troubles.count(), 'the keys still fail').toBe(1);
  },
);
