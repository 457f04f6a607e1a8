import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { settleAll } from '../../../server/test/money.ts';
import { endSandbox, monthsOf } from '../../../server/test/months.ts';
import { expectAccessible, hasBrowser, useDashboard } from '../browser.ts';
import { payingOf } from '../paying.ts';

const dashboard = useDashboard();
const { open, service } = dashboard;
const { makeGroup, earn } = payingOf(dashboard);

test.skipIf(!hasBrowser)(
  'finance downloads a creator’s monthly statement, and support sees the amounts only',
  async () => {
    const db = () => service().testDatabase.database.db;
    await makeGroup('books', 'holdDays: 0,');
    const months = monthsOf(db);
    await earn('books', 'A', 8_420);
    await settleAll(db());
    const month = await months.close();
    await endSandbox(service().testDatabase.adminConnection);
    const page = await open('finance', '/p/aurora/creators?group=books&open=acc_books_A');
    const statements = page.getByRole('region', { name: 'Monthly statements' });
    await statements
      .getByRole('row', { name: new RegExp(month) })
      .getByText('84.20 USD')
      .waitFor();
    await expectAccessible(page, 'statements of a creator');
    for (const kind of ['PDF', 'CSV']) {
      const downloading = page.waitForEvent('download');
      await statements.getByRole('button', { name: `${kind} of ${month}, USD` }).click();
      const file = await downloading;
      expect(file.suggestedFilename()).toBe(`statement-aurora-books-${month}-USD.${kind.toLowerCase()}`);
      const content = await text(await file.createReadStream());
      expect(content).toMatch(kind === 'PDF' ? /^%PDF-/ : /\nopening,/);
    }
    const support = await open('support', '/p/aurora/creators?group=books&open=acc_books_A');
    const seen = support.getByRole('region', { name: 'Monthly statements' });
    await seen.getByText('84.20 USD').waitFor();
    expect(await seen.getByRole('button').count()).toBe(0);
    const other = await open('finance', '/p/aurora/creators?group=books&open=acc_books_B');
    await other.getByRole('region', { name: 'Monthly statements' }).getByText('No statements yet.').waitFor();
  },
);
