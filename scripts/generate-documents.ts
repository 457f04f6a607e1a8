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

This page lists every setting. A process reads them from the environment when it starts. An invalid setting stops the start,
with a message that names it. (This page is generated from \`packages/server/src/platform/config.ts\` by \`npm run generate\`.)

| name | default | meaning |
|---|---|---|
${rows.join('')}
## Secrets from files

A secret may be in a file, as is usual for containers. The variable with \`_FILE\` at the end of its name has the path:

| name | path of a file with |
|---|---|
${files.join('')}
A process reads the file once, when it starts, and removes spaces and line ends around the text. The start fails if both
variables are set, or if the file cannot be read, is empty, is larger than 64 KiB, has more than one line (except for several
keys), or is not UTF-8 text.

## Names that are no setting

A variable that looks like a setting but is none, such as DATABSE_URL or SETTLE_INTERVAL, causes a warning when a process
starts, which suggests a setting with a similar name. It does not stop the start, and its value is not shown. Variables that
Kubernetes sets for its services are ignored.
`;
}

export const programFileSchema = (): string => {
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...programSchema };
  // Editors and validators read it, so patterns must work without flags, as in the API document.
  const portable = (key: string, value: unknown): unknown =>
    key === 'pattern' ? (portablePatterns.get(String(value)) ?? value) : value;
  return `${JSON.stringify(schema, portable, 2)}\n`;
};
