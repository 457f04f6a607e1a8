import { readFileSync } from 'node:fs';
import { secretSettings, settings } from '../../packages/server/src/platform/config.ts';
import { fileVariable } from '../../packages/server/src/platform/setting-files.ts';
import type { Container, Pods } from './objects.ts';

/** Secrets listed in docs/deploying.md, as `attribution/DATABASE_URL`. */
export const documentedSecrets: ReadonlySet<string> = new Set(
  [
    ...readFileSync('docs/deploying.md', 'utf8').matchAll(/^\| `([a-z-]+)` \| ((?:`[\w.-]+`(?:, )?)+) \|/gm),
  ].flatMap(([, secret, keys = '']) =>
    [...keys.matchAll(/`([\w.-]+)`/g)].map(([, key]) => `${secret}/${key}`),
  ),
);

const byName = new Map(Object.values(settings).map((setting) => [setting.name, setting]));

/**
 * Reports variables that are not settings or have invalid values, and secrets that are not mounted at their
 * path.
 */
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
      yield `${name} mounts ${mount}, which does not exist`;
  for (const { name: variable, value } of env) {
    const secret = secretOf(variable);
    const problem = settingProblem(variable, value);
    if (problem !== null) yield `${name} ${problem}`;
    else if (secret !== null && files.get(value ?? '')?.split('/')[1] !== secret)
      yield `${name}: ${variable} is ${value}, but the secret ${secret} is not mounted there`;
  }
  const given = (wanted: string): boolean =>
    env.some((each) => each.name === wanted || each.name === `${wanted}_FILE`);
  if (!given('DATABASE_URL')) yield `${name} would start an embedded database; set DATABASE_URL_FILE`;
  for (const secret of new Set(files.values()))
    if (!documentedSecrets.has(secret)) yield `docs/deploying.md does not list the secret ${secret}`;
}

/** Returns the setting that a `…_FILE` variable provides; null for other variables. */
const secretOf = (variable: string): string | null =>
  secretSettings.map((key) => settings[key].name).find((name) => variable === fileVariable(name)) ?? null;

/**
 * Returns the problem with a variable that is not a setting or has an invalid value.
 * @param value undefined if it comes from a secret
 */
export function settingProblem(variable: string, value: string | undefined): string | null {
  if (secretOf(variable) !== null) return null;
  const setting = byName.get(variable);
  if (setting === undefined) return `sets ${variable}, which is not a setting`;
  if (value === undefined) return `sets ${variable} without a value; use a file for a secret`;
  try {
    setting.parse(value);
    return null;
  } catch (error) {
    return `sets ${variable}, which ${error instanceof Error ? error.message : error}`;
  }
}
