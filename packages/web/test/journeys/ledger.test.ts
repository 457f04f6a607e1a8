import { expect, test } from 'vitest';
import { runVerification } from '../../../server/src/settlement/verify/jobs/run-verification.ts';
import { hasBrowser, useDashboard } from '../browser.ts';
import { payingOf } from '../paying.ts';

/** As long as the browser waits for what it is asked for. */
const soon = { timeout: 10_000 };
const dashboard = useDashboard();
const { open, service } = dashboard;
const { makeGroup, earn } = payingOf(dashboard);
const work = () =>
  runVerification(service().testDatabase.database.db, 'aurora', new AbortController().signal);

test.skipIf(!hasBrowser)('the ledger is proven in two clicks, and its proof is kept', async () => {
  const page = await open('finance', '/p/aurora');
  await page.getByRole('link', { name: 'Ledger' }).click();
  await page.getByText('Nothing was earned yet').waitFor();
  await makeGroup('proof');
  await earn('proof', 'A', 12_345);
  await page.reload();
  const sums = page.getByRole('table', { name: 'Sums by currency' });
  await expect.poll(() => sums.textContent(), soon).toContain('123.45 USD');
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  const proofs = page.getByRole('table', { name: 'Proofs of the ledger' });
  await proofs.getByText('Waits for a worker').waitFor();
  expect(await page.getByRole('button', { name: 'Verify', exact: true }).isDisabled()).toBe(true);
  await work();
  await proofs.getByText('Sound').waitFor();
  await expect.poll(() => page.getByText('Never proven').count(), { timeout: 3_000 }).toBe(0); // before it is looked at again
  await page.getByRole('button', { name: /Open the proof/ }).click();
  await page.getByRole('dialog').getByText('1 of 1 days', { exact: false }).waitFor();
});

test.skipIf(!hasBrowser)('what is not explained is named, where it is', async () => {
  const { db } = service().testDatabase.database;
  const spoil = (by: string) =>
    db
      .updateTable('member_balance')
      .set(({ eb }) => ({ balance_minor: eb('balance_minor', '+', by) }))
      .where('publisher_id', '=', 'aurora')
      .execute();
  const page = await open('owner', '/p/aurora/ledger');
  await spoil('1');
  await page.getByRole('button', { name: 'Verify everything' }).click();
  await page.getByText('Waits for a worker').waitFor();
  await work();
  await page.getByText('Found a fault').waitFor();
  await page.reload();
  await page.getByRole('alert').getByText('The ledger does not add up').waitFor();
  await page.getByText('−0.01').waitFor();
  await page
    .getByRole('button', { name: /Open the proof/ })
    .first()
    .click();
  await page.getByText('a balance is the sum of its ledger entries', { exact: false }).waitFor();
  await spoil('-1');
});

test.skipIf(!hasBrowser)('who may not have it proven sees that it adds up', async () => {
  const page = await open('support', '/p/aurora/ledger');
  await page.getByRole('table', { name: 'Sums by currency' }).waitFor();
  expect(await page.getByRole('button', { name: /Verify/ }).count()).toBe(0);
});
