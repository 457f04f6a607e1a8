import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { answerForms, etagOf, type SharedAnswer } from '../answers/shared-answer.ts';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
};

/** Returns whether a name contains a content hash, such as `index-BX3k2d_9.js`. */
const isHashed = (name: string): boolean => /-[\w-]{8}\.\w+$/.test(name);

/**
 * Creates a handler that sends a file from the folder, using the compressed versions that the build created.
 * @returns null if there is no such file
 */
export function openAsset(folder: string, name: string): SharedAnswer | null {
  const type = types[extname(name)];
  // Accept only a plain file name, so that other folders and hidden files can't be read.
  if (type === undefined || !/^\w[\w.-]*$/.test(name) || !existsSync(join(folder, name))) return null;
  const headers = {
    'content-type': type,
    'cache-control': isHashed(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
  return answerForms(headers, async () => {
    const [identity, br, gzip] = await Promise.all(
      ['', '.br', '.gz'].map((ending) => readFile(join(folder, name + ending))),
    );
    if (identity === undefined || br === undefined || gzip === undefined)
      throw new Error(`${name} has no compressed versions`);
    return { etag: etagOf(identity), identity, br, gzip };
  });
}
