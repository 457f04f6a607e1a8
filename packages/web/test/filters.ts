import type { Locator, Page } from 'playwright-core';

/** Field of a filter above a list. */
export const filterField = (page: Page, name: string): Locator =>
  page.getByRole('group', { name: 'Filters' }).getByLabel(name, { exact: true });

/** Adds a filter to a list, as a person does. @returns its field, which is focused */
export async function addFilter(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
  return filterField(page, name);
}

/** Shows the fields for the days of a list's period, as a person does. */
export const chooseCustomDays = (page: Page): Promise<unknown> =>
  filterField(page, 'Period').selectOption('Custom…');
