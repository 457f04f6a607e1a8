import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Checks the gzip-compressed sizes of the dashboard's parts: the first page; the parts that most screens
 * share, such as tables, drawers and form errors, which load with the first screen; and each further screen.
 */
const maxOf = { script: 200, style: 40, shared: 70, screen: 40, overview: 280 }; // thousands of bytes
/** Screen that opens first for most people. */
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
const lines: [what: string, bytes: number, max: number][] = [
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
lines.push(['shared by most screens', sizeOf(shared), maxOf.shared]);
const toOverview = [...new Set([...first, ...filesOf(firstScreen)])].filter((file) => !isStyle(file));
lines.push(['first load of Overview, script', sizeOf(toOverview), maxOf.overview]);
for (const name of later.toSorted()) {
  const more = filesOf(name).filter((file) => !first.includes(file) && !shared.includes(file));
  lines.push([name, sizeOf(more), maxOf.screen]);
}

for (const [what, bytes, max] of lines) {
  const isTooLarge = bytes > max * 1_000;
  process.stdout.write(
    `${(bytes / 1_000).toFixed(1).padStart(7)} of ${String(max).padStart(3)} kB  ${what}${isTooLarge ? '  ← too large' : ''}\n`,
  );
  if (isTooLarge) process.exitCode = 1;
}

/** Returns the files of a chunk and its static imports, excluding files that the chunk loads later. */
function filesOf(name: string, seen = new Set<string>()): string[] {
  if (seen.has(name)) return [];
  seen.add(name);
  const { file, css = [], imports = [] } = manifest[name] ?? { file: '' };
  return [...new Set([file, ...css, ...imports.flatMap((each) => filesOf(each, seen))])];
}

function sizeOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + statSync(`${dist}${file}.gz`).size, 0);
}
