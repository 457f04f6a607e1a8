import { readFileSync, writeFileSync } from 'node:fs';
import pg from 'pg';
import { prepareDatabase } from '../packages/server/src/platform/database/schema/prepare-database.ts';
import { temporaryCluster } from '../packages/server/test/temporary-cluster.ts';
import { prometheusRule } from './alerts/prometheus-rule.ts';
import { clientTypes, currencyTable } from './client-types.ts';
import { generateTables } from './generate-tables.ts';
import { leaveNothing } from './vitest/leave-nothing.ts';

/** Writes the generated files. With --check, only checks them and fails if any is out of date. */
leaveNothing();
const root = new URL('../', import.meta.url);
const cluster = await temporaryCluster();
const isCheck = process.argv.includes('--check');

try {
  await prepareDatabase(cluster);
  const client = new pg.Client(cluster.connection);
  await client.connect();
  put('packages/server/src/platform/database/tables.generated.ts', await generateTables(client));
  await client.end();
  // These modules import code that needs the tables' types, which are only now up to date.
  const { openApiDocuments, configurationPage, programFileSchema } = await import('./generate-documents.ts');
  const { personalDataPage } = await import('./personal-data-page.ts');
  const { publisher, portal } = await openApiDocuments(cluster.connection);
  put('docs/openapi.generated.json', publisher);
  put('docs/portal-openapi.generated.json', portal);
  put('packages/client/src/api.generated.ts', await clientTypes(publisher));
  put('packages/client/src/currencies.generated.ts', currencyTable());
  put('docs/configuration.md', configurationPage());
  put('docs/personal-data.md', personalDataPage());
  put('docs/program-file.schema.generated.json', programFileSchema());
  put('deploy/kubernetes/monitoring/alerts.generated.yaml', prometheusRule());
} finally {
  await cluster.stop();
}

function put(path: string, contents: string): void {
  const url = new URL(path, root);
  let current = '';
  try {
    current = readFileSync(url, 'utf8');
  } catch {
    // The file does not exist yet.
  }
  if (current === contents) return;
  if (isCheck) {
    process.stderr.write(`${path} is out of date: run \`npm run generate\`.\n`);
    process.exitCode = 1;
    return;
  }
  writeFileSync(url, contents);
  process.stdout.write(`wrote ${path}\n`);
}
