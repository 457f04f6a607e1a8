import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
  rmSync(dist, { recursive: true, force: true });
  renameSync(made, dist);
  return { files, kilobytes: Math.round(bytes / 1_000) };
}

/** Writes the compressed forms of each file. @returns the number of files, and the size of their smallest forms */
async function compressAssets(folder: string): Promise<{ files: number; bytes: number }> {
  const names = readdirSync(folder);
  let bytes = 0;
  for (const name of names) {
    const path = join(folder, name);
    const contents = readFileSync(path);
    const [br, zipped] = await Promise.all([
      promisify(brotliCompress)(contents, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: contents.length },
      }),
      promisify(gzip)(contents, { level: 9 }),
    ]);
    writeFileSync(`${path}.br`, br);
    writeFileSync(`${path}.gz`, zipped);
    bytes += statSync(`${path}.br`).size;
  }
  return { files: names.length, bytes };
}
