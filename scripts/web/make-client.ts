import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import { currencyTable } from '../client-types.ts';
import { adminDocument } from './admin-document.ts';

const client = fileURLToPath(new URL('../../packages/web/src/client', import.meta.url));

const portalDocument = fileURLToPath(new URL('../../docs/portal-openapi.generated.json', import.meta.url));

/**
 * Generates the clients from the API documents: types, calls, and their query options. The portal's client is a folder in
 * the dashboard's, which is emptied first.
 */
export async function makeClient(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'attribution-document-'));
  try {
    const input = join(folder, 'admin.json');
    writeFileSync(input, JSON.stringify(await adminDocument()));
    await makeClientOf(input, client);
    await makeClientOf(portalDocument, join(client, 'portal'));
    writeFileSync(join(client, 'currencies.gen.ts'), currencyTable());
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const makeClientOf = (input: string, path: string) =>
  createClient({
    input,
    output: { path, importFileExtension: '.ts' },
    logs: { level: 'error', file: false },
    plugins: [
      '@hey-api/typescript',
      '@hey-api/client-fetch',
      { name: '@hey-api/sdk' },
      { name: '@tanstack/react-query', queryOptions: true, infiniteQueryOptions: false },
    ],
  });

if (import.meta.main) await makeClient();
