import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { currencyCodes, currencyExponent } from '../packages/server/src/platform/currencies.ts';

/** Generates the types of the client package from the API document. */
export async function clientTypes(document: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'attribution-types-'));
  try {
    const input = join(folder, 'publisher.json');
    writeFileSync(input, document);
    await createClient({
      input,
      output: { path: join(folder, 'out') },
      logs: { level: 'silent', file: false },
      plugins: ['@hey-api/typescript'],
    });
    return readFileSync(join(folder, 'out/types.gen.ts'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Generates the table of currencies by number of decimal places, as in the service. */
export function currencyTable(): string {
  const byExponent = Object.groupBy(currencyCodes, currencyExponent);
  const lines = Object.entries(byExponent).map(
    ([exponent, codes = []]) => `  ${exponent}: '${codes.join(' ')}',\n`,
  );
  return `// Generated from the service's own table.
export const codesByExponent: Readonly<Record<number, string>> = {\n${lines.join('')}};\n`;
}
