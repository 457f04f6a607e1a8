import { readFileSync } from 'node:fs';
import { settings } from '../../packages/server/src/platform/config.ts';
import type { Container, Pods } from './objects.ts';

/** Secrets that docs/deploying.md tells people to make, or who makes them: `attribution/DATABASE_URL`. */
export const documentedSecrets: ReadonlySet<string> = new Set(
  [
    ...readFileSync('docs/deploying.md', 'utf8').matchAll(/^\| `([a-z-]+)` \| ((?:`[\w.-]+`(?:, )?)+) \|/gm),
  ].flatMap(([, secret, keys = '']) =>
    [...keys.matchAll(/`([\w.-]+)`/g)].map(([, key]) => `${secret}/${key}`),
  ),
);

const byName = new Map(Object.values(settings).map((setting) => [setting.name, setting]));

/** Variables are settings with values that the program takes, and files of secrets are where the variables say. */
export function* environmentProblems(
  { name, env = [], volumeMounts = [] }: Container,
  pods: Pods,
): Generator<string> {
  const files = new Map<string, string>(
    volumeMounts.flatMap(({ name: volume, mountPath }) => {
      const secret = pods.volumes.find((each) => each.name === volume)?.secret;
      return (secret?.items ?? []).map(
        ({ key, path }) => [`${mountPath}/${path}`, `${secret?.secretName}/${key}`] as const,
      );
    }),
  );
  for (const { name: mount } of volumeMounts)
    if (!pods.volumes.some((volume) => volume.name === mount))
      yield `${name} mounts ${mount}, which is no volume`;
  for (const { name: variable, value } of env) {
    const setting = byName.get(variable);
    const ofFile = byName.get(variable.replace(/_FILE$/, ''));
    if (setting !== undefined) {
      const problem = unusable(setting, value);
      if (problem !== null) yield `${name}: ${variable} ${problem}`;
    } else if (ofFile === undefined) yield `${name} sets ${variable}, which is no setting`;
    else if (files.get(value ?? '')?.split('/')[1] !== ofFile.name)
      yield `${name}: ${variable} is ${value}, and no secret puts ${ofFile.name} there`;
  }
  const given = (wanted: string): boolean =>
    env.some((each) => each.name === wanted || each.name === `${wanted}_FILE`);
  if (!given('DATABASE_URL')) yield `${name} would run a database of its own`;
  for (const secret of new Set(files.values()))
    if (!documentedSecrets.has(secret)) yield `docs/deploying.md does not list the secret ${secret}`;
}

function unusable(setting: { parse(text: string): unknown }, value: string | undefined): string | null {
  if (value === undefined) return 'has no value here; secrets are files';
  try {
    setting.parse(value);
    return null;
  } catch (error) {
    return `${error instanceof Error ? error.message : error}`;
  }
}
