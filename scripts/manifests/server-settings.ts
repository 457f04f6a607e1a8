import {
  bytesOf,
  serverBufferBytes,
  serverSettings,
} from '../../packages/server/src/platform/database/server-settings.ts';

/**
 * Compares the settings of a PostgreSQL in `deploy/` with the program's own.
 * @param memory that it may take, as Compose or Kubernetes writes it
 */
export function* serverSettingProblems(
  given: Readonly<Record<string, string | undefined>>,
  memory: string | undefined,
): Generator<string> {
  for (const [name, value] of Object.entries(serverSettings))
    if (given[name] !== value)
      yield `${name} of PostgreSQL is ${given[name] ?? 'not set'}, and should be ${value} as the documents say`;
  if (memory === undefined) yield 'PostgreSQL has no limit of memory, of which shared_buffers is a quarter';
  else if (bytesOf(given.shared_buffers ?? '0') !== serverBufferBytes(bytesOf(memory)))
    yield `shared_buffers of PostgreSQL is ${given.shared_buffers ?? 'not set'}, and should be a quarter of ${memory}`;
}
