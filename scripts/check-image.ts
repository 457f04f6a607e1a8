import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isLeftOut } from './image/left-out.ts';
import { productionPackages } from './image/production-packages.ts';

/** Checks that the package files that `npm run image` puts into an image are complete and don't include tests. */
const testPatterns = ['**/{test,tests,__tests__}/**', '**/*.{test,spec}.{js,cjs,mjs,ts}'];
const scripts = '**/*.{js,cjs,mjs}';
const specifier = /(?:\brequire\(|\bfrom |\bimport\(?)\s*['"](\.{1,2}\/[^'"]+)['"]/g;
const endings = ['', '.js', '.cjs', '.mjs', '.json', '/index.js'];

const problems: string[] = [];
const packages = productionPackages('.');
let kept = 0;
for (const place of packages) {
  const tests = new Set(filesOf(place, testPatterns).filter(isKept));
  for (const path of tests) problems.push(`${place}/${path} is a test, and would be in the image`);
  for (const path of filesOf(place, [scripts]).filter(isKept)) {
    kept += 1;
    for (const [, name = ''] of readFileSync(join(place, path), 'utf8').matchAll(specifier)) {
      const target = targetOf(place, join(dirname(path), name));
      // Imports in comments may refer to type declarations.
      if (target !== null && !isKept(target) && !target.endsWith('.d.ts'))
        problems.push(`${place}/${path} loads ${target}, which would not be in the image`);
    }
  }
}
if (packages.length < 50 || kept < 1_000) problems.push(`only ${packages.length} packages were found`);

if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exit(1);
}
process.stdout.write(`${packages.length} packages, ${kept} scripts\n`);

/** Lists a package's files, except PostgreSQL's binaries and nested packages. Both are checked separately. */
function filesOf(place: string, patterns: string[]): string[] {
  return globSync(patterns, {
    cwd: place,
    exclude: (name) => name === 'node_modules' || name === 'native',
  }).filter((path) => statSync(join(place, path)).isFile());
}

/** Returns whether the image contains a file. An excluded folder excludes all of its files. */
function isKept(path: string): boolean {
  const parts = path.split('/');
  return parts.every((_, index) => !isLeftOut(parts.slice(0, index + 1).join('/')));
}

/** Returns the package file to which a relative import resolves; null if there is none, such as for text in a comment. */
function targetOf(place: string, path: string): string | null {
  const found = endings
    .map((ending) => join(place, path + ending))
    .find((each) => existsSync(each) && statSync(each).isFile());
  return found === undefined ? null : relative(place, found);
}
