import type pg from 'pg';
import { buildApp } from '../packages/server/src/app.ts';
import { composeService } from '../packages/server/src/composition.ts';
import { systemClock } from '../packages/server/src/platform/clock.ts';
import { readConfig, secretSettings, settings } from '../packages/server/src/platform/config.ts';
import { openDatabase } from '../packages/server/src/platform/database/database.ts';
import { portablePatterns } from '../packages/server/src/platform/http/schemas/schemas.ts';
import { createSealer } from '../packages/server/src/platform/secrets/sealer.ts';
import { fileVariable } from '../packages/server/src/platform/setting-files.ts';
import { createLog } from '../packages/server/src/platform/telemetry/log.ts';
import { createMetrics } from '../packages/server/src/platform/telemetry/metrics.ts';
import { programSchema } from '../packages/server/src/program-file/program-schema.ts';

export async function openApiDocument(connection: pg.ClientConfig): Promise<string> {
  const database = openDatabase({ connection, poolSize: 2, recordLanes: 1, applicationName: 'generate' });
  const service = composeService({
    config: readConfig({}),
    database,
    sealer: createSealer([Buffer.alloc(32)]),
    clock: systemClock,
    log: createLog('silent', systemClock, () => undefined),
    metrics: createMetrics(),
  });
  const app = await buildApp(service);
  const document = JSON.stringify(app.swagger(), null, 2);
  await app.close();
  await database.close();
  return `${document}\n`;
}

export function configurationPage(): string {
  const rows = Object.values(settings).map(
    ({ name, fallback, meaning }) =>
      `| \`${name}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${meaning} |\n`,
  );
  const files = secretSettings.map(
    (key) => `| \`${fileVariable(settings[key].name)}\` | \`${settings[key].name}\` |\n`,
  );
  return `# Settings

Read from the environment when a process starts. A wrong one stops the start, with a message that names it.
(This page is made from \`packages/server/src/platform/config.ts\` by \`npm run generate\`.)

| name | default | meaning |
|---|---|---|
${rows.join('')}
## Secrets from files

A secret may be in a file, as containers are given them; the variable with \`_FILE\` behind its name says which:

| name | names a file with |
|---|---|
${files.join('')}
The file is read once, when a process starts; spaces and line ends around the text are left out. The start stops where
both variables are set, and where the file cannot be read, is empty, is larger than 64 KiB, has more than one line (several keys may)
or is not text in UTF-8.

## Names that are no setting

A variable that looks like a setting and is none, such as DATABSE_URL or SETTLE_INTERVAL, is told in a
warning when a process starts, with the name that was meant where one is near. It stops nothing, and its value is not
shown. What Kubernetes sets for each of its services is passed over.
`;
}

export const programFileSchema = (): string => {
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...programSchema };
  // Editors and validators read it: patterns need no flags, as in the API's document.
  const portable = (key: string, value: unknown): unknown =>
    key === 'pattern' ? (portablePatterns.get(String(value)) ?? value) : value;
  return `${JSON.stringify(schema, portable, 2)}\n`;
};
