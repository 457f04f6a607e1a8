import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ContextSpec, Result, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** axe's script, evaluated in the page. axe-core's own builder would inject the larger, unminified script on every run. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Runs axe on a page. The script is injected once per page load. */
export async function runAxe(page: Page, context: ContextSpec, options: RunOptions): Promise<Result[]> {
  if ((await page.evaluate('typeof window.axe')) === 'undefined') await page.evaluate(source);
  const args = `${JSON.stringify(context)}, ${JSON.stringify(options)}`;
  return (await page.evaluate(`window.axe.run(${args}).then(({ violations }) => violations)`)) as Result[];
}
