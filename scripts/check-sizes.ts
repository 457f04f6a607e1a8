import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * What a browser loads of the dashboard, compressed by gzip: with the first page, with whichever screen comes first (what most
 * screens need, such as tables, drawers and what forms say of missing fields), and for each further screen.
 */
const maxOf = { script: 200, style: 40, shared: 31, screen: 40, overview: 225 }; // thousands of bytes
/** The screen that most people open first: everything it needs, from an empty cache. */
const firstScreen = 'src/dashboard/screens/overview/screen.tsx';

interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
}

const dist = fileURLToPath(new URL('../packages/web/dist/', import.meta.url));
const manifest: Record<string, Chunk> = JSON.parse(readFileSync(`${dist}.vite/manifest.json`, 'utf8'));
const [entry] = Object.entries(manifest).find(([, chunk]) => chunk.isEntry) ?? [];
if (entry === undefined) throw new Error('the dashboard has no first page');

const first = filesOf(entry);
const isStyle = (file: string): boolean => file.endsWith('.css');
const lines: [what: string, bytes: number, most: number][] = [
  ['first page, script', sizeOf(first.filter((file) => !isStyle(file))), maxOf.script],
  ['first page, style', sizeOf(first.filter(isStyle)), maxOf.style],
];
const later = [...new Set(Object.values(manifest).flatMap(({ dynamicImports = [] }) => dynamicImports))];
const screens = later.filter((name) => name.endsWith('/screen.tsx')).map((name) => filesOf(name));
const shared = [...new Set(screens.flat())].filter(
  (file) =>
    !first.includes(file) &&
    screens.filter((files) => files.includes(file)).length >= (screens.length * 3) / 4,
);
lines.push(['what most screens share', sizeOf(shared), maxOf.shared]);
const toOverview = [...new Set([...first, ...filesOf(firstScreen)])].filter((file) => !isStyle(file));
lines.push(['first load of Overview, script', sizeOf(toOverview), maxOf.overview]);
for (const name of later.toSorted()) {
  const more = filesOf(name).filter((file) => !first.includes(file) && !shared.includes(file));
  lines.push([name, sizeOf(more), maxOf.screen]);
}

for (const [what, bytes, most] of lines) {
  const isTooLarge = bytes > most * 1_000;
  process.stdout.write(
    `${(bytes / 1_000).toFixed(1).padStart(7)} of ${String(most).padStart(3)} kB  ${what}${isTooLarge ? '  ← too large' : ''}\n`,
  );
  if (isTooLarge) process.exitCode = 1;
}

/** The files that a part needs, those of its parts included, but not what it loads later. */
function filesOf(name: string, seen = new Set<string>()): string[] {
  if (seen.has(name)) return [];
  seen.add(name);
  const { file, css = [], imports = [] } = manifest[name] ?? { file: '' };
  return [...new Set([file, ...css, ...imports.flatMap((each) => filesOf(each, seen))])];
}

function sizeOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + statSync(`${dist}${file}.gz`).size, 0);
}
