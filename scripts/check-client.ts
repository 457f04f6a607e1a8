import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { clientBundle } from './client-bundle.ts';

/**
 * Checks the client as it is published: publint and attw, the sizes of its bundles, and that the packed file installs into
 * an empty project and compiles with the compiler options of servers, bundlers and edge runtimes.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const packageFolder = join(root, 'packages/client');

/** Maximum sizes of the minified bundles, compressed with gzip, in thousands of bytes. */
const maxSizes = { index: 15, public: 3 };

/** Compiler options of the projects that use the client. */
const projects = {
  server: { module: 'nodenext', lib: ['es2023'], types: ['node'] },
  bundler: {
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
  },
  edge: { module: 'esnext', moduleResolution: 'bundler', lib: ['es2023', 'webworker'], types: [] },
};

const program = `
import { Attribution, CodeNotInGroup, money, type Transaction } from '@creator-attribution/client';
import { PublicAttribution } from '@creator-attribution/client/public';
import { AttributionFake } from '@creator-attribution/client/testing';
import { verifyWebhook } from '@creator-attribution/client/webhooks';

const attribution = new Attribution(new AttributionFake({ members: [{ code: 'ALICE' }] }).options);
export async function run(): Promise<Transaction[]> {
  const purchase = { transactionId: '1', code: 'ALICE', description: 'Skin', transactionDate: new Date() };
  const { rows, replayed } = await attribution.transactions.record({ ...purchase, subtotal: money('9.99', 'USD') });
  for await (const row of attribution.transactions.list({ status: ['refund'] })) rows.push(row);
  return replayed ? [] : rows;
}
// @ts-expect-error: an amount is Money
export const wrong = () => attribution.transactions.record({ transactionId: '1', code: 'A', description: '', transactionDate: '', subtotal: 9.99 });
export { CodeNotInGroup, PublicAttribution, verifyWebhook };
`;

run(packageFolder, 'npm', 'run', '--silent', 'check-package');
for (const [entry, maxKilobytes] of Object.entries(maxSizes)) {
  const bytes = gzipSync(await clientBundle(join(packageFolder, `dist/${entry}.js`)), { level: 9 }).length;
  process.stdout.write(`${(bytes / 1_000).toFixed(1)} of ${maxKilobytes} kB  ${entry}\n`);
  if (bytes > maxKilobytes * 1_000) fail(`the bundle of ${entry} is too large`);
}
compileInEmptyProject();

function compileInEmptyProject(): void {
  const folder = mkdtempSync(join(tmpdir(), 'attribution-client-'));
  try {
    const file = run(packageFolder, 'npm', 'pack', '--silent', '--pack-destination', folder).trim();
    writeFileSync(join(folder, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }');
    run(folder, 'npm', 'install', '--offline', '--no-audit', '--no-fund', '--silent', join(folder, file));
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'src/program.ts'), program);
    for (const [name, options] of Object.entries(projects)) {
      const compilerOptions = {
        ...options,
        target: 'es2022',
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        verbatimModuleSyntax: true,
        skipLibCheck: false,
        rootDir: 'src',
        outDir: name,
        ...(options.types.length > 0 && { typeRoots: [join(root, 'node_modules/@types')] }),
      };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
      run(folder, join(root, 'node_modules/.bin/tsc'), '-p', '.');
    }
    run(folder, process.execPath, '-e', "import('./server/program.js').then(({ run }) => run())");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(folder: string, command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) fail(`${command} ${args.join(' ')}:\n${stdout}${stderr}`);
  return stdout;
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
