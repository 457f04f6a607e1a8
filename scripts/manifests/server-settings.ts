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
      yield `${name} of PostgreSQL is ${given[name] ?? 'not set'}, but should be ${value} as documented`;
  if (memory === undefined)
    yield 'PostgreSQL has no memory limit, of which shared_buffers should be a quarter';
  else if (bytesOf(given.shared_buffers ?? '0') !== serverBufferBytes(bytesOf(memory)))
    yield `shared_buffers of PostgreSQL is ${given.shared_buffers ?? 'not set'}, but should be a quarter of ${memory}`;
}
