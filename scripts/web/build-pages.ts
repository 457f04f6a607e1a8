import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';

const web = fileURLToPath(new URL('../../packages/web', import.meta.url));
const dist = join(web, 'dist');

/**
 * Builds the dashboard into `packages/web/dist`, and the creators' portal and the stream alert into folders in it, with compressed forms of
 * each asset, so that the service never has to compress them.
 */
export async function buildPages(): Promise<{ files: number; kilobytes: number }> {
  // The new build is written next to the previous build, so that the previous build remains if the new one
  // fails.
  const made = `${dist}-new`;
  rmSync(made, { recursive: true, force: true });
  const builds = [
    { config: 'vite.config.ts', outDir: made },
    { config: 'vite.portal.config.ts', outDir: join(made, 'creators') },
    { config: 'vite.alert.config.ts', outDir: join(made, 'alert') },
  ];
  let [files, bytes] = [0, 0];
  for (const { config, outDir } of builds) {
    await build({
      root: web,
      configFile: join(web, config),
      logLevel: 'warn',
      build: { outDir, emptyOutDir: true },
    });
    const compressed = await compressAssets(join(outDir, 'assets'));
    files += compressed.files;
    bytes += compressed.bytes;
  }
  requireStyles(join(made, 'assets'));
  rmSync(dist, { recursive: true, force: true });
  renameSync(made, dist);
  return { files, kilobytes: Math.round(bytes / 1_000) };
}

/**
 * Checks the dashboard. The portal leaves out styles of parts of components that it never shows.
 * @throws Error if a script uses a component of the library whose styles the build lacks
 */
function requireStyles(folder: string): void {
  const read = (ending: string): string =>
    readdirSync(folder)
      .filter((name) => name.endsWith(ending))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n');
  const used = new Set(read('.js').match(/\bm_[0-9a-f]+\b/g));
  const styles = read('.css');
  const all = readFileSync(join(web, '../../node_modules/@mantine/core/styles.css'), 'utf8');
  const lacking = [...new Set(all.match(/\.m_[0-9a-f]+\b/g))].filter(
    (name) => used.has(name.slice(1)) && !styles.includes(name),
  );
  if (lacking.length > 0)
    throw new Error(
      `The build lacks styles of @mantine/core (${lacking.join(', ')}). Find their files in @mantine/core/styles, and import them in ` +
        'dashboard/components.css.',
    );
}

/** Writes the compressed forms of each file. @returns the number of files, and the size of their smallest forms */
async function compressAssets(folder: string): Promise<{ files: number; bytes: number }> {
  const names = readdirSync(folder);
  const sizes = names.map(async (name) => {
    const path = join(folder, name);
    const contents = readFileSync(path);
    const [br, zipped] = await Promise.all([
      promisify(brotliCompress)(contents, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: contents.length,
        },
      }),
      promisify(gzip)(contents, { level: 9 }),
    ]);
    writeFileSync(`${path}.br`, br);
    writeFileSync(`${path}.gz`, zipped);
    return br.length;
  });
  const bytes = (await Promise.all(sizes)).reduce((sum, each) => sum + each, 0);
  return { files: names.length, bytes };
}
