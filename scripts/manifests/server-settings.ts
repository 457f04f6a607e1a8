import {
  bytesOf,
  serverBufferBytes,
  serverSettings,
} from '../../packages/server/src/platform/database/server-settings.ts';

/**
 * Compares the settings of a PostgreSQL server in `deploy/` with the documented settings.
 * @param memory memory limit in the notation of Compose or Kubernetes
 */
export function* serverSettingProblems(
  given: Readonly<Record<string, string | undefined>>,
  memory: string | undefined,
): Generator<string> {
  for (const [name, value] of Object.entries(serverSettings))
    if (given[name] !== value)
      yield `PostgreSQL's ${name} is ${given[name] ?? 'not set'}, but should be ${value} as documented`;
  if (memory === undefined)
    yield 'PostgreSQL has no memory limit; set one, and set shared_buffers to a quarter of the limit';
  else if (bytesOf(given.shared_buffers ?? '0') !== serverBufferBytes(bytesOf(memory)))
    yield `PostgreSQL's shared_buffers is ${given.shared_buffers ?? 'not set'}, but should be a quarter of ${memory}`;
}
