import type { Locator, Page } from 'playwright-core';

export type Step = (page: Page) => Promise<unknown>;

/** Combines steps into one step that runs them in order. */
export const steps =
  (...all: readonly Step[]): Step =>
  async (page) => {
    for (const step of all) await step(page);
  };

/** Returns the topmost layer: the last dialog, or else the page. */
async function top(page: Page): Promise<Page | Locator> {
  const dialogs = page.getByRole('dialog').filter({ visible: true });
  const count = await dialogs.count();
  return count === 0 ? page : dialogs.nth(count - 1);
}

/** Presses buttons in order, each in the topmost layer. */
export const press = (...names: readonly (string | RegExp)[]): Step =>
  steps(
    ...names.map((name) => async (page: Page) => {
      await (await top(page))
        .getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
        .first()
        .click();
      await page.waitForTimeout(50);
    }),
  );

/** Chooses a menu's item that opens a dialog, and waits for the dialog, whose script may load now. */
export const choose = (menu: string | RegExp, item: string): Step =>
  steps(press(menu), async (page) => {
    const dialogs = page.getByRole('dialog').filter({ visible: true });
    const before = await dialogs.count();
    await page.getByRole('menuitem', { name: item }).click();
    await dialogs.nth(before).waitFor();
  });

/** Opens the steps of the payout rehearsal, which are open from the start on a wide screen. */
export const openGuide: Step = async (page) => {
  const toggle = page.getByRole('button', { name: 'Steps', exact: true });
  if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click();
};

/** Opens the first row of a list. */
export const firstRow: Step = (page) => page.locator('[data-row-opener]').first().click();

export const fill =
  (label: string, text: string): Step =>
  async (page) =>
    (await top(page)).getByLabel(label).first().fill(text);

/** Waits for text that loads later. */
export const seen =
  (text: string | RegExp): Step =>
  (page) =>
    page.getByText(text).first().waitFor();
