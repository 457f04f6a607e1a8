import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { steps } from './gate-steps.ts';

/**
 * Proves that every step of the gate can fail: in a clone of the last commit, makes one change per step that the step
 * must reject, and expects the step to exit with a status other than 0. The tests are not included, because each test
 * is seen to fail when it is written.
 */
type Edit = (folder: string) => void;

const append =
  (path: string, text: string): Edit =>
  (folder) =>
    appendFileSync(join(folder, path), `\n${text}\n`);

/** Replaces the first match. A pattern that no longer matches is an error, because the proof would prove nothing. */
const replace =
  (path: string, pattern: string | RegExp, text: string): Edit =>
  (folder) => {
    const before = readFileSync(join(folder, path), 'utf8');
    const after = before.replace(pattern, () => text);
    if (after === before) throw new Error(`${path} does not contain ${pattern}`);
    writeFileSync(join(folder, path), after);
  };

const server = 'packages/server/src/platform/percent.ts';
const screen = 'packages/web/src/ui/percent.tsx';
const wrongType = "export const wrong: number = 'text';";

const edits: Readonly<Record<string, Edit>> = {
  'format and lint': append(server, 'export var loose=1'),
  types: append(server, wrongType),
  'types of the client, without Node': append(
    'packages/client/src/index.ts',
    'export const id = process.pid;',
  ),
  'the dashboard': append('packages/web/src/main.tsx', "import './missing.ts';"),
  'types of the dashboard': append(screen, wrongType),
  'texts of the dashboard': append(
    screen,
    "import { msg } from './text.ts';\nexport const composed = (name: string) => msg(name);",
  ),
  'sizes of the dashboard': (folder) => {
    const noise = Array.from({ length: 600_000 }, (_, index) => ((index * 7919) % 65_521).toString(36)).join(
      '',
    );
    append('packages/web/src/main.tsx', `globalThis.name = '${noise}';`)(folder);
    run(folder, 'node', 'scripts/build-web.ts');
  },
  'import rules': append(server, "export { posting } from '../settlement/ledger.ts';"),
  'dead code': (folder) =>
    writeFileSync(join(folder, 'packages/server/src/unused.ts'), 'export const x = 1;\n'),
  'project rules': append(server, 'export const now = () => Date.now();'),
  // In two parts, because the step reads this file, too.
  'words of the glossary': append(server, `/** ${'What'} this is. */\nexport const text = '';`),
  'one slice writes a table': append(server, 'export const text = sql`delete from payout_batch`;'),
  'statements route to one publisher': append(
    'packages/server/src/settlement/reverse-payment.ts',
    'export const all = (tx: Tx) => sql`select 1 from payment join attribution using (attribution_id)`.execute(tx);',
  ),
  'new migrations': (folder) =>
    writeFileSync(
      join(folder, 'packages/server/migrations/9999_wrong.sql'),
      'alter table payment add column note varchar(10) not null;\n',
    ),
  lockfile: replace(
    'package-lock.json',
    /"node_modules\/@biomejs\/cli-linux-x64": \{/,
    '"node_modules/@biomejs/cli-none": {',
  ),
  'guarantees of the lockfile': replace(
    'package-lock.json',
    /"integrity": "sha512-[^"]+",?/,
    '"license": "MIT",',
  ),
  manifests: replace(
    'deploy/kubernetes/base/kustomization.yaml',
    'resources:',
    'resources:\n  - missing.yaml',
  ),
  'the Compose file': replace('deploy/compose.yaml', 'read_only: true', 'read_only: false'),
  'packages of the image': (folder) =>
    writeFileSync(join(folder, 'scripts/image/left-out.ts'), 'export const isLeftOut = () => false;\n'),
  alerts: replace('docs/alerts.md', '**Check.**', '**Look.**'),
  documents: append('README.md', '[Missing](docs/missing.md)'),
  'generated files': replace(
    'packages/server/src/publishers/put-group.ts',
    'Minimum payout',
    'Smallest payout',
  ),
  'API documents': replace(
    'docs/openapi.generated.json',
    /"operationId": "[^"]+"/,
    '"operationId": "two words"',
  ),
  'the client as it is published': replace(
    'packages/client/package.json',
    './dist/index.js',
    './dist/missing.js',
  ),
};

function run(folder: string, command: string, ...args: readonly string[]) {
  return spawnSync(command, args, { cwd: folder, encoding: 'utf8', timeout: 300_000 });
}

function must(result: ReturnType<typeof run>): void {
  if (result.status !== 0) throw new Error(result.stderr || String(result.error));
}

const folder = join(mkdtempSync(join(tmpdir(), 'gate-')), 'checkout');
let failed = 0;
try {
  must(run('.', 'git', 'clone', '--quiet', '.', folder));
  for (const modules of ['node_modules', 'packages/server/node_modules'])
    symlinkSync(join(process.cwd(), modules), join(folder, modules));
  for (const [what, command, ...args] of steps) {
    if (what === 'tests') continue;
    must(run(folder, 'node', 'scripts/web/make-client.ts'));
    const edit = edits[what];
    if (edit === undefined) throw new Error(`no change is known that "${what}" must reject`);
    must(run(folder, command, ...args)); // passes without the change, so the change is what makes it fail
    edit(folder);
    const { status } = run(folder, command, ...args);
    const isRed = status !== null && status !== 0;
    process.stdout.write(`${isRed ? 'red  ' : 'GREEN'}  ${what}\n`);
    if (!isRed) failed += 1;
    must(run(folder, 'git', 'checkout', '--quiet', '.'));
    must(run(folder, 'git', 'clean', '--quiet', '-fd', '--exclude=node_modules'));
  }
} finally {
  rmSync(join(folder, '..'), { recursive: true, force: true });
}
if (failed > 0) {
  process.stderr.write(`${failed} step(s) of the gate accept what they must reject\n`);
  process.exit(1);
}
process.stdout.write('every step of the gate rejects what it must reject\n');
