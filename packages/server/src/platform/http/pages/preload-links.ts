import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Entry of the build's manifest: a file, and the entries whose files it needs. */
interface Built {
  file: string;
  isEntry?: boolean;
  imports?: readonly string[];
  css?: readonly string[];
}

/**
 * Returns a function that builds the links for a module that the page's script will load. With them, a browser loads the
 * module's files together with the script, instead of a round trip later. Without a manifest, there are no links.
 * @param folder folder of the build
 * @param assetsPath path that the build's assets are served under
 */
export function preloadLinks(folder: string, assetsPath: string): (module: string) => string {
  const path = join(folder, '.vite', 'manifest.json');
  const built: Readonly<Record<string, Built>> = existsSync(path)
    ? JSON.parse(readFileSync(path, 'utf8'))
    : {};
  const ofPage = new Set(
    Object.keys(built)
      .filter((key) => built[key]?.isEntry)
      .flatMap((key) => [...withImports(built, key)]),
  );
  return (module) =>
    [...withImports(built, module)]
      .filter((key) => !ofPage.has(key))
      .flatMap((key) => {
        const { file = '', css = [] } = built[key] ?? {};
        return [
          `<link rel="modulepreload" crossorigin href="${urlOf(assetsPath, file)}">`,
          ...css.map(
            (each) => `<link rel="preload" as="style" crossorigin href="${urlOf(assetsPath, each)}">`,
          ),
        ];
      })
      .join('');
}

/** Returns the keys of a module and of everything that it imports statically. */
function withImports(built: Readonly<Record<string, Built>>, key: string, found = new Set<string>()) {
  if (built[key] === undefined || found.has(key)) return found;
  found.add(key);
  for (const each of built[key].imports ?? []) withImports(built, each, found);
  return found;
}

/** @param file path in the build, such as `assets/screen-CuKsWwkR.js` */
const urlOf = (assetsPath: string, file: string): string => `${assetsPath}/${file.slice('assets/'.length)}`;
