import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Checks the gzip-compressed sizes of the pages' parts. For the dashboard: the first page; the parts that most screens
 * share, such as tables, drawers and form errors, which load with the first screen; and each further screen. For the
 * creators' portal: everything that a phone loads for the page that it opens first, and each further page. For the stream
 * alert: everything.
 */
const maxOf = { script: 200, style: 28, shared: 73.1, screen: 40, overview: 284, font: 32 }; // thousands of bytes
const maxOfPortal = { landing: 165, page: 25 };
/** Everything that an overlay of a stream alert loads. */
const maxOfAlert = 10;
/** Screen that opens first for most people. */
const firstScreen = 'src/dashboard/screens/overview/screen.tsx';

interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
}

type Line = readonly [what: string, bytes: number, max: number];

/** Build of a single page, with the files of its chunks. */
class Build {
  readonly first: string[];
  /** Names of the chunks that load later, in order. */
  readonly later: string[];
  readonly #folder: string;
  readonly #manifest: Record<string, Chunk>;

  constructor(folder: string) {
    this.#folder = fileURLToPath(new URL(`../packages/web/dist/${folder}`, import.meta.url));
    this.#manifest = JSON.parse(readFileSync(`${this.#folder}.vite/manifest.json`, 'utf8'));
    const [entry] = Object.entries(this.#manifest).find(([, chunk]) => chunk.isEntry) ?? [];
    if (entry === undefined) throw new Error(`${folder} has no first page`);
    this.first = this.filesOf(entry);
    const names = Object.values(this.#manifest).flatMap(({ dynamicImports = [] }) => dynamicImports);
    this.later = [...new Set(names)].toSorted();
  }

  /** Returns the files of a chunk and its static imports, excluding files that the chunk loads later. */
  filesOf(name: string, seen = new Set<string>()): string[] {
    if (seen.has(name)) return [];
    seen.add(name);
    const { file, css = [], imports = [] } = this.#manifest[name] ?? { file: '' };
    return [...new Set([file, ...css, ...imports.flatMap((each) => this.filesOf(each, seen))])];
  }

  /** Returns the file of an asset, such as a font, by its name in the sources. */
  assetOf(name: string): string {
    const found = Object.keys(this.#manifest).find((each) => each.endsWith(name));
    return this.#manifest[found ?? '']?.file ?? '';
  }

  sizeOf(files: readonly string[]): number {
    return files.reduce((sum, file) => sum + statSync(`${this.#folder}${file}.gz`).size, 0);
  }
}

const isStyle = (file: string): boolean => file.endsWith('.css');

function dashboardLines(): Line[] {
  const build = new Build('');
  const { first, later } = build;
  const screens = later.filter((name) => name.endsWith('/screen.tsx')).map((name) => build.filesOf(name));
  const shared = [...new Set(screens.flat())].filter(
    (file) =>
      !first.includes(file) &&
      screens.filter((files) => files.includes(file)).length >= (screens.length * 3) / 4,
  );
  const fonts = ['figtree-latin-wght-normal.woff2', 'figtree-latin-ext-wght-normal.woff2'];
  const toOverview = [...new Set([...first, ...build.filesOf(firstScreen)])];
  return [
    ['first page, script', build.sizeOf(first.filter((file) => !isStyle(file))), maxOf.script],
    ['fonts', build.sizeOf(fonts.map((name) => build.assetOf(name))), maxOf.font],
    ['first page, style', build.sizeOf(first.filter(isStyle)), maxOf.style],
    ['shared by most screens', build.sizeOf(shared), maxOf.shared],
    [
      'first load of Overview, script',
      build.sizeOf(toOverview.filter((file) => !isStyle(file))),
      maxOf.overview,
    ],
    ...later.map((name): Line => {
      const more = build.filesOf(name).filter((file) => !first.includes(file) && !shared.includes(file));
      return [name, build.sizeOf(more), maxOf.screen];
    }),
  ];
}

function portalLines(): Line[] {
  const build = new Build('creators/');
  const { first, later } = build;
  const pages = later.filter((name) => name.endsWith('/page.tsx'));
  const font = build.assetOf('figtree-latin-wght-normal.woff2');
  return later.flatMap((name): Line[] => {
    const more = build.filesOf(name).filter((file) => !first.includes(file));
    const line: Line = [name, build.sizeOf(more), maxOfPortal.page];
    if (!pages.includes(name)) return [line];
    return [
      line,
      [`${name}, opened first, with the font`, build.sizeOf([...first, ...more, font]), maxOfPortal.landing],
    ];
  });
}

function alertLines(): Line[] {
  const build = new Build('alert/');
  return [['stream alert', build.sizeOf(build.first), maxOfAlert]];
}

for (const [what, bytes, max] of [...dashboardLines(), ...portalLines(), ...alertLines()]) {
  const isTooLarge = bytes > max * 1_000;
  process.stdout.write(
    `${(bytes / 1_000).toFixed(1).padStart(7)} of ${String(max).padStart(3)} kB  ${what}${isTooLarge ? '  ← too large' : ''}\n`,
  );
  if (isTooLarge) process.exitCode = 1;
}
