import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { useTransactions } from '../../server/test/transactions.ts';

const { service, keys } = useTransactions();
const folder = mkdtempSync(join(tmpdir(), 'client-readme-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the example in the README runs, and runs again', async () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
  const [, example = ''] = /```ts\n(.*?)```/s.exec(readme) ?? [];
  const file = join(folder, 'example.mts');
  const source = join(import.meta.dirname, '../src/index.ts');
  writeFileSync(file, example.replace("'@creator-attribution/client'", `'${source}'`));
  const env = { ...process.env, ATTRIBUTION_URL: service().url, ATTRIBUTION_KEY: keys().backend };
  for (const replayed of [false, true]) {
    const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [output, errors] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    expect(errors).toBe('');
    expect(output).toBe(`p-1 { replayed: ${replayed} }\norder-100\n`);
  }
});
