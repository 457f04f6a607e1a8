import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ContextSpec, Result, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** As text, for a browser to read; axe-core's own builder gives each page four times the unpacked one for every look. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Looks at a page with axe, which is read by it once, however often it is looked at until it is loaded anew. */
export async function runAxe(page: Page, context: ContextSpec, options: RunOptions): Promise<Result[]> {
  if ((await page.evaluate('typeof window.axe')) === 'undefined') await page.evaluate(source);
  const asked = `${JSON.stringify(context)}, ${JSON.stringify(options)}`;
  return (await page.evaluate(`window.axe.run(${asked}).then(({ violations }) => violations)`)) as Result[];
}
