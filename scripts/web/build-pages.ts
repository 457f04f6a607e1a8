import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';

const web = fileURLToPath(new URL('../../packages/web', import.meta.url));
const dist = join(web, 'dist');

/** Builds `packages/web/dist` with compressed forms of each asset, so that the service never has to compress them. */
export async function buildPages(): Promise<{ files: number; kilobytes: number }> {
  // The new build is written next to the previous build, so that the previous build remains if the new one
  // fails.
  const made = `${dist}-new`;
  rmSync(made, { recursive: true, force: true });
  await build({
    root: web,
    configFile: join(web, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: made, emptyOutDir: true },
  });
  const folder = join(made, 'assets');
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
  rmSync(dist, { recursive: true, force: true });
  renameSync(made, dist);
  return { files: names.length, kilobytes: Math.round(bytes / 1_000) };
}
