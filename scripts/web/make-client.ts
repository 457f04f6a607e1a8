import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import { currencyCodes, currencyExponent } from '../../packages/server/src/platform/currencies.ts';
import { adminDocument } from './admin-document.ts';

const client = fileURLToPath(new URL('../../packages/web/src/client', import.meta.url));

/** Generates the dashboard's client from the admin API document: types, calls, and their query options. */
export async function makeClient(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'attribution-document-'));
  try {
    const input = join(folder, 'admin.json');
    writeFileSync(input, JSON.stringify(await adminDocument()));
    await createClient({
      input,
      output: { path: client, importFileExtension: '.ts' },
      logs: { level: 'error', file: false },
      plugins: [
        '@hey-api/typescript',
        '@hey-api/client-fetch',
        { name: '@hey-api/sdk' },
        { name: '@tanstack/react-query', queryOptions: true, infiniteQueryOptions: false },
      ],
    });
    writeFileSync(join(client, 'currencies.gen.ts'), currencies());
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Generates the table of currencies by number of decimal places, as in the service. */
function currencies(): string {
  const byExponent = Object.groupBy(currencyCodes, currencyExponent);
  const lines = Object.entries(byExponent).map(
    ([exponent, codes = []]) => `  ${exponent}: '${codes.join(' ')}',\n`,
  );
  return `// Generated from the service's own table by scripts/web/make-client.ts.
export const codesByExponent: Readonly<Record<number, string>> = {\n${lines.join('')}};\n`;
}

if (import.meta.main) await makeClient();
