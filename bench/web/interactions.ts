import type { Browser, Page } from 'playwright-core';
import { layoutShift } from '../../packages/web/test/first-view.ts';
import { isSettled } from '../../packages/web/test/screens.ts';
import { percentile } from './admin-api.ts';
import { openCold, readMetrics } from './browser.ts';
import { publisherId } from './fill.ts';
import { logProgress } from './progress.ts';
import type { Staff } from './staff.ts';

/** Shortest interaction that browsers report. Unreported interactions are counted as lasting this long. */
const shortestMs = 16;

export interface Interactions {
  count: number;
  p75Ms: number;
  longestMs: number;
  /** Script with the longest interaction. */
  longestIn: string;
  /** Largest layout shift during any of the scripts. */
  shift: number;
}

type Hand = {
  press(key: string): Promise<void>;
  type(text: string): Promise<void>;
  click(selector: string): Promise<void>;
};

interface Script {
  name: string;
  screen: string;
  play(hand: Hand): Promise<void>;
}

const row = (number: number): string => `main tbody tr:nth-child(${number}) td:nth-child(3)`;

const scripts: readonly Script[] = [
  {
    name: 'page through purchases',
    screen: 'transactions',
    async play({ press, click }) {
      for (let n = 0; n < 4; n += 1) await click('main button:has-text("Next")');
      await click('main button:has-text("Previous")');
      await click(row(3));
      for (const key of ['j', 'j', 'j', 'k', 'Escape', 'j', 'k']) await press(key);
    },
  },
  {
    name: 'filter purchases',
    screen: 'transactions',
    async play({ press, type }) {
      await press('/');
      await type('no-such-order');
      for (let n = 0; n < 13; n += 1) await press('Backspace');
      await press('Tab');
      await type('CODE17');
      await press('Tab');
      await type('acc_1');
      await press('Tab');
      for (const key of ['r', 't', 'n']) await press(key);
    },
  },
  {
    name: 'search',
    screen: 'overview',
    async play({ press, type }) {
      await press('Control+k');
      await type('Juno wid 12');
      await press('ArrowDown');
      await press('Enter');
      for (const key of ['Escape', 'g', 't', 'g', 'c', 'g', 'o']) await press(key);
    },
  },
  {
    name: 'switch tabs of creators',
    screen: 'creators',
    async play({ click, press }) {
      for (const tab of ['Pending', 'Removed', 'Approved']) await click(`main [role=tab]:has-text("${tab}")`);
      await click(row(2));
      for (const key of ['j', 'j', 'k', 'Escape']) await press(key);
      await click('main button:has-text("Next")');
    },
  },
  {
    name: 'change the days of the overview',
    screen: 'overview',
    async play({ click }) {
      for (const days of ['90', '7', '28']) await click(`main label:has-text("${days} days")`);
      await click('main button:has-text("Pause")');
      await click('main button:has-text("Resume")');
    },
  },
];

/**
 * Plays scripts of key presses and clicks, and reads from the browser how long each input took until the next
 * paint.
 */
export async function measureInteractions(browser: Browser, staff: Staff): Promise<Interactions> {
  const all: { name: string; ms: number }[] = [];
  const shifts: number[] = [];
  for (const { name, screen, play } of scripts) {
    const page = await openCold(browser, staff.url, staff, { path: `/p/${publisherId}/${screen}` });
    let count = 0;
    await play(handOn(page, () => (count += 1)));
    const { interactions, shifts: found } = await readMetrics(page);
    await page.context().close();
    const took = Object.values(interactions);
    const quick = Array.from({ length: Math.max(0, count - took.length) }, () => shortestMs);
    all.push(...[...took, ...quick].map((ms) => ({ name, ms })));
    shifts.push(layoutShift(found));
    logProgress(
      `${name}: ${count} interactions, ${took.length} of a frame or more, p75 ${percentile([...took, ...quick], 0.75)} ms, ` +
        `the longest ${Math.max(0, ...took)} ms, layout shift ${shifts.at(-1)?.toFixed(3)}`,
    );
  }
  const longest = all.toSorted((one, other) => other.ms - one.ms)[0];
  return {
    count: all.length,
    p75Ms: percentile(
      all.map(({ ms }) => ms),
      0.75,
    ),
    longestMs: longest?.ms ?? 0,
    longestIn: longest?.name ?? '',
    shift: Math.max(...shifts),
  };
}

/** Pause between two key presses while typing. */
const typingMs = 60;

function handOn(page: Page, counted: () => void): Hand {
  return {
    async press(key) {
      counted();
      await page.keyboard.press(key);
      await settled(page);
    },
    async type(text) {
      for (const key of text) {
        counted();
        await page.keyboard.press(key);
        await page.waitForTimeout(typingMs);
      }
      await settled(page);
    },
    async click(selector) {
      counted();
      await page.locator(selector).first().click();
      await settled(page);
    },
  };
}

async function settled(page: Page): Promise<void> {
  await page.waitForTimeout(100);
  await isSettled(page);
}
