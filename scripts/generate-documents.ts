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

export interface OpenApiDocuments {
  /** Document of the publisher's API. */
  publisher: string;
  /** Document of the creators' portal. */
  portal: string;
}

export async function openApiDocuments(connection: pg.ClientConfig): Promise<OpenApiDocuments> {
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
  const [publisher = '', portal = ''] = [app.swagger(), app.portalDocument()].map(
    (document) => `${JSON.stringify(document, null, 2)}\n`,
  );
  await app.close();
  await database.close();
  return { publisher, portal };
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

This page lists all settings. A process reads them from the environment when it starts. If a setting is invalid, the process
exits with a message that names the setting. (\`npm run generate\` generates this page from
\`packages/server/src/platform/config.ts\`.)

| name | default | meaning |
|---|---|---|
${rows.join('')}
## Secrets from files

You can store a secret in a file, as is usual for containers. Add \`_FILE\` to the variable's name, and set it to the file's
path:

| name | the file contains |
|---|---|
${files.join('')}
A process reads the file once, when it starts, and removes leading and trailing whitespace. The process doesn't start if both
variables are set, or if the file can't be read, is empty, is larger than 64 KiB, isn't UTF-8 text, or contains more than one
line (except for several keys).

## Misspelled settings

If a variable looks like a misspelled setting, such as DATABSE_URL or SETTLE_INTERVAL, the process logs a warning when it
starts and suggests a setting with a similar name. The process still starts, and the variable's value is not shown. Variables
that Kubernetes sets for its services are ignored.
`;
}

export const programFileSchema = (): string => {
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...programSchema };
  // Editors and validators read the schema, so its patterns must work without flags, as in the API document.
  const portable = (key: string, value: unknown): unknown =>
    key === 'pattern' ? (portablePatterns.get(String(value)) ?? value) : value;
  return `${JSON.stringify(schema, portable, 2)}\n`;
};
