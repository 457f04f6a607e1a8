import { readdirSync } from 'node:fs';
import { entryPoints } from '../slices.ts';
import { all, between, filesOf, problems, read, sameLists } from './problems.ts';

const src = 'packages/server/src';
const architecture = 'ARCHITECTURE.md';
export function checkLists(): void {
  sameLists(
    'error codes',
    all(read(`${src}/platform/http/answers/api-error.ts`), /^ {2}([A-Z]\w+): \d{3},$/gm),
    'docs/errors.md',
    all(read('docs/errors.md'), /^\| `([A-Z]\w+)` \| \d/gm),
  );
  sameLists(
    'metrics',
    all(read(`${src}/platform/telemetry/metric-table.ts`), /'(attribution_\w+)'/g),
    'docs/operating.md',
    all(read('docs/operating.md'), /^\| `(attribution_\w+)` \|/gm),
  );
  const tables = read(`${src}/platform/database/tables.generated.ts`);
  sameLists(
    'tables',
    all(between(tables, 'export interface Tables {', '\n}'), /^ {2}(\w+): /gm).filter(
      (name) => name !== 'schema_migration', // belongs to the migrations
    ),
    architecture,
    all(between(read(architecture), '| tenant | reference |', '\n\n'), /`(\w+)`/g),
  );
  sameLists(
    'steps of the gate',
    all(read('scripts/gate-steps.ts'), /^ {2}\['([^']+)', '/gm),
    'CONTRIBUTING.md',
    all(between(read('CONTRIBUTING.md'), '| step | checks |\n|---|---|\n', '\n\n'), /^\| (.+?) \|/gm),
  );
  checkTags();
  checkActions();
  checkCaches();
}

/**
 * Compares the documented audit actions with the code. A row may list several verbs for a noun, such as `key.create`
 * and `.revoke`.
 */
function checkActions(): void {
  const page = 'docs/audit.md';
  const tables = read(page).split('| action | target | when |').slice(1).join('\n');
  const onPage = all(tables, /^\| ((?:`[a-z.-]+`(?:, )?)+) \|/gm)
    .filter((cell) => /^`[a-z-]+\.[a-z-]+`/.test(cell))
    .flatMap((cell) => {
      const names = all(cell, /`([a-z.-]+)`/g);
      const [noun = ''] = names[0]?.split('.') ?? [];
      return names.map((name) => (name.startsWith('.') ? noun + name : name));
    });
  const inCode = sources().flatMap(([, text]) => [
    ...all(text, /action: '([a-z-]+\.[a-z-]+)'/g),
    ...all(text, /\? '([a-z-]+\.[a-z-]+)' : '[a-z-]+\.[a-z-]+',$/gm),
    ...all(text, /\? '[a-z-]+\.[a-z-]+' : '([a-z-]+\.[a-z-]+)',$/gm),
  ]);
  const reversals = ['refund', 'fraud', 'chargeback'].map((verb) => `transaction.${verb}`);
  sameLists('audited actions', [...new Set([...inCode, ...reversals])], page, onPage);
}

/** Checks that the table of data in memory lists every cache. */
function checkCaches(): void {
  const table = between(read(architecture), '## What is in memory', '\n## ');
  for (const [path, text] of sources()) {
    const name = path.slice(`${src}/`.length);
    if (
      /boundedCache<|new ConfirmedCache</.test(text) &&
      !name.startsWith('platform/bounded-cache') &&
      !table.includes(name)
    )
      problems.push(`${architecture} must list what ${name} caches`);
  }
}

const sources = (): [path: string, text: string][] =>
  filesOf(`${src}/*.ts`)
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => [path, read(path)]);

/** Checks that each group of operations is described in the OpenAPI document and in the guide. */
function checkTags(): void {
  const document = JSON.parse(read('docs/openapi.generated.json')) as {
    tags?: { name: string; description?: string }[];
    paths: Record<string, Record<string, { tags?: string[] }>>;
    webhooks: Record<string, Record<string, { tags?: string[] }>>;
  };
  const operations = Object.values({ ...document.paths, ...document.webhooks }).flatMap(Object.values);
  const used = [...new Set(operations.flatMap(({ tags = [] }) => tags))];
  const declared = (document.tags ?? []).filter(({ description = '' }) => description !== '');
  sameLists(
    'tags of operations',
    used,
    'the OpenAPI document',
    declared.map(({ name }) => name),
  );
  sameLists('tags of operations', used, 'docs/api.md', all(read('docs/api.md'), /^\| \*\*(.+?)\*\* \|/gm));
}

/** Compares the slices and entry points of the import rules with the server's folders and the architecture page. */
export function checkSlices(ordered: readonly string[]): void {
  const notSlices = ['platform', ...entryPoints];
  const folders = readdirSync(src, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  sameLists(
    'folders',
    folders.map(({ name }) => name),
    'scripts/slices.ts',
    [...ordered, ...notSlices],
  );
  const page = read(architecture);
  const drawn = all(between(page, 'packages/server/src\n', '\n```'), /^│ ([a-z-]+) {2,}\S/gm);
  sameLists(
    'slices',
    ordered,
    `The picture of ${architecture}`,
    drawn.filter((name) => !notSlices.includes(name)),
  );
  const listed = between(page, 'slices before it, in this order: ', '.').replaceAll(/\s+/g, ' ').split(', ');
  if (listed.join() !== ordered.join())
    problems.push(
      `${architecture} must list the slices in the order of scripts/slices.ts: ${listed.join(', ')}`,
    );
}
