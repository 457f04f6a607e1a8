import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Builds the dashboard: the admin API client, then the pages, then their compressed forms. npm runs this
 * script at the end of `npm ci`. If the build tools are not installed (`--omit=dev`), the script leaves an
 * earlier build in place. A missing tool is an error only if the build was requested, not at the end of an
 * installation.
 */
const tools = ['@hey-api/openapi-ts', ...dashboardTools()];
const missing = tools.filter(
  (name) => !['', 'packages/web/'].some((place) => existsSync(at(`${place}node_modules/${name}`))),
);

if (missing.length === 0) {
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
  process.stdout.write(
    `The dashboard wasn't built, because its build tools, such as ${missing[0]}, are development dependencies and aren't installed. ` +
      'The service runs without the dashboard. To have the dashboard, run `npm ci`, which builds it, and then `npm prune --omit=dev`.\n',
  );
  if (process.env.npm_lifecycle_event !== 'prepare') process.exitCode = 1;
}

function dashboardTools(): string[] {
  const manifest = JSON.parse(readFileSync(at('packages/web/package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  return Object.keys(manifest.devDependencies);
}

function at(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}
