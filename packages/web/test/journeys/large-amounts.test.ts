import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { purchase } from '../../../server/test/fixtures.ts';
import { settleAll } from '../../../server/test/money.ts';
import { hasBrowser, useDashboard } from '../browser.ts';
import { isSettled } from '../screens.ts';

const { open, service, keys } = useDashboard();

/** Twelve-digit amounts in currencies with two, zero and three decimal places. */
const amounts = { USD: 999_999_999_999, JPY: 999_999_999_999, KWD: 999_999_999_999, EUR: 123_456 };

beforeAll(async () => {
  if (!hasBrowser) return;
  for (const [currency, subtotal] of Object.entries(amounts))
    for (const daysAgo of [1, 30]) {
      const { status } = await service().call('POST', '/v1/attributions/transactions', {
        key: keys().backend,
        json: purchase({
          transactionId: `large-${currency}-${daysAgo}`,
          currency,
          subtotal,
          transactionDate: new Date(Date.now() - daysAgo * 86_400_000).toISOString(),
        }),
      });
      expect(status).toBe(200);
    }
  await settleAll(service().testDatabase.database.db);
});

/**
 * Lists amounts that overlap or extend beyond their card. The script is a string, because the tests lack the
 * DOM types.
 */
const faults = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const found = [];
    const boxOf = (element) => { const range = document.createRange(); range.selectNodeContents(element); return range.getBoundingClientRect(); };
    for (const card of document.querySelectorAll('main section')) {
      const edge = card.getBoundingClientRect();
      // Scrolled content is clipped by its card.
      const parts = [...card.querySelectorAll('[class*=figures], [class*=figure], [class*=change], [class*=said]')]
        .filter((part) => part.children.length < 3 && part.textContent.trim() !== '' && part.closest('.mantine-ScrollArea-root') === null && !part.querySelector('[class*=sum]'));
      const boxes = parts.map((part) => ({ text: part.textContent, box: boxOf(part), part }));
      for (const { text, box } of boxes)
        if (box.left < edge.left - 0.5 || box.right > edge.right + 0.5) found.push('out of its card: ' + text + ' ' + Math.round(box.right - edge.right));
      for (const [at, one] of boxes.entries())
        for (const other of boxes.slice(at + 1))
          if (!one.part.contains(other.part) && !other.part.contains(one.part) && one.box.left < other.box.right - 0.5 && other.box.left < one.box.right - 0.5 && one.box.top < other.box.bottom - 1 && other.box.top < one.box.bottom - 1)
            found.push('overlap: ' + one.text + ' | ' + other.text);
    }
    if (document.documentElement.scrollWidth > document.documentElement.clientWidth) found.push('the page is wider than the window');
    return found;
  })()`);

for (const [name, size] of [
  ['1440', { width: 1_440, height: 900 }],
  ['1024', { width: 1_024, height: 800 }],
  ['360', { width: 360, height: 740 }],
] as const)
  test.skipIf(!hasBrowser)(
    `keeps amounts of twelve digits apart and within their cards, ${name} pixels wide`,
    async () => {
      const page = await open('finance', '/p/aurora/overview?currency=KWD', { size });
      await page.getByRole('region', { name: 'Totals in KWD' }).waitFor();
      const others = page.getByRole('region', { name: 'Other currencies' });
      for (const currency of Object.keys(amounts)) {
        const row = others.getByRole('button', { name: new RegExp(`^${currency}`) });
        await row.click();
        await page.getByRole('region', { name: `Totals in ${currency}` }).waitFor();
        await row.waitFor({ state: 'detached' });
        await isSettled(page);
        expect(await faults(page), `${currency} in full`).toEqual([]);
      }
      await others.getByText('9,999,999,999.99').first().waitFor();
      await others.getByRole('button', { name: /^KWD/ }).click();
      const chart = page.getByRole('slider', { name: 'Sales and earned in KWD' });
      await chart.focus();
      for (const key of ['Home', 'ArrowRight', 'End']) {
        await page.keyboard.press(key);
        expect(await faults(page), `the marker after ${key}`).toEqual([]);
      }
      await page.getByText('Sales: 999,999,999.999 KWD').waitFor();
    },
  );
