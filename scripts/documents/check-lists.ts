import { readdirSync } from 'node:fs';
import { doors } from '../rooms.ts';
import { all, between, filesOf, problems, read, sameLists } from './problems.ts';

const src = 'packages/server/src';
const architecture = 'ARCHITECTURE.md';
/** Folders that are no rooms: what all stand on, and doors, which nobody imports. */
const noRooms = ['platform', ...doors];

/** Lists that people read are those of the code. */
export function checkLists(): void {
  sameLists(
    'error codes',
    all(read(`${src}/platform/http/answers/api-error.ts`), /^ {2}([A-Z]\w+): \d{3},$/gm),
    'docs/errors.md',
    all(read('docs/errors.md'), /^\| `([A-Z]\w+)` \| \d/gm),
  );
  sameLists(
    'metrics',
    all(read(`${src}/platform/telemetry/metrics.ts`), /name: '(attribution_\w+)'/g),
    'docs/operating.md',
    all(read('docs/operating.md'), /^\| `(attribution_\w+)` \|/gm),
  );
  const tables = read(`${src}/platform/database/tables.generated.ts`);
  sameLists(
    'tables',
    all(between(tables, 'export interface Tables {', '\n}'), /^ {2}(\w+): /gm).filter(
      (name) => name !== 'schema_migration', // the migrations' own
    ),
    architecture,
    all(between(read(architecture), '| tenant | reference |', '\n\n'), /`(\w+)`/g),
  );
  sameLists(
    'steps of the gate',
    all(read('scripts/check.ts'), /^ {2}\['([^']+)', '/gm),
    'CONTRIBUTING.md',
    all(between(read('CONTRIBUTING.md'), '| step | looks at |\n|---|---|\n', '\n\n'), /^\| (.+?) \|/gm),
  );
  checkTags();
  checkActions();
  checkCaches();
}

/** What the audit log may say, and what it means. A row may name a noun once for several verbs: `key.create`, `.revoke`. */
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

/** What forgets the oldest, or asks the database whether it still holds, is among what is in memory. */
function checkCaches(): void {
  const table = between(read(architecture), '## What is in memory', '\n## ');
  for (const [path, text] of sources()) {
    const name = path.slice(`${src}/`.length);
    if (
      /boundedCache<|new ConfirmedCache</.test(text) &&
      !name.startsWith('platform/bounded-cache') &&
      !table.includes(name)
    )
      problems.push(`${architecture} does not say what ${name} keeps in memory`);
  }
}

/** The server's code, without its tests. */
const sources = (): [path: string, text: string][] =>
  filesOf(`${src}/*.ts`)
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => [path, read(path)]);

/** A group of operations has a sentence in the OpenAPI document, and a place where it is described for people. */
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

/** The rooms of the server, as the folders are, as the rules of imports order them, and as the page shows and says. */
export function checkRooms(ordered: readonly string[]): void {
  const rooms = readdirSync(src, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !noRooms.includes(entry.name))
    .map(({ name }) => name);
  const page = read(architecture);
  const built = ordered.filter((room) => rooms.includes(room));
  for (const room of rooms.filter((each) => !ordered.includes(each)))
    problems.push(`scripts/rooms.ts has no place for the room ${room}`);
  const drawn = all(between(page, 'packages/server/src\n', '\n```'), /^│ ([a-z-]+) {2,}\S/gm);
  sameLists(
    'rooms',
    built,
    `${architecture}, in its picture,`,
    drawn.filter((name) => !noRooms.includes(name)),
  );
  const said = between(page, 'slices before it, in this order: ', '.').replaceAll(/\s+/g, ' ').split(', ');
  if (said.join() !== ordered.join())
    problems.push(`${architecture} has the rooms in another order than scripts/rooms.ts: ${said.join(', ')}`);
}
