import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Builds the dashboard: the client of the admin API, then the pages, then their compressed forms. npm runs it at the end of
 * `npm ci`; where the tools for it were not installed (`--omit=dev`) it says so, and leaves what was built before.
 */
const vite = fileURLToPath(new URL('../node_modules/vite', import.meta.url));
if (existsSync(vite)) {
  const startedAt = performance.now();
  const { makeClient } = await import('./web/make-client.ts');
  const { buildPages } = await import('./web/build-pages.ts');
  await makeClient();
  const { files, kilobytes } = await buildPages();
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  process.stdout.write(
    `The dashboard is built: ${files} files, ${kilobytes} kB compressed, in ${seconds} s.\n`,
  );
} else {
  process.stdout.write('The dashboard was not built: its tools are development dependencies.\n');
}
