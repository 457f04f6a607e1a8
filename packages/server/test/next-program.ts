import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Creates a later version of the service by adding a migration to this version.
 * @returns its executable, which is deleted when the test ends
 */
export function nextProgram(migration: string, version = '0.3.0'): string {
  const folder = mkdtempSync(join(tmpdir(), 'attribution-next-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const server = join('packages', 'server');
  mkdirSync(join(folder, server), { recursive: true });
  for (const part of ['bin', 'src', 'migrations', 'package.json'])
    cpSync(join(root, server, part), join(folder, server, part), {
      recursive: true,
      filter: (path) => !path.endsWith('.test.ts'),
    });
  cpSync(join(root, 'examples', 'demo-program.yaml'), join(folder, 'examples', 'demo-program.yaml'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const description = join(folder, server, 'package.json');
  const own = JSON.parse(readFileSync(description, 'utf8'));
  writeFileSync(description, JSON.stringify({ ...own, version }));
  writeFileSync(join(folder, server, 'migrations', '9999_next.sql'), migration);
  return join(folder, server, 'bin', 'attribution.js');
}
