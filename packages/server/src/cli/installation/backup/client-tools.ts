import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { OperatorError } from '../../../platform/operator-error.ts';

/**
 * Runs one of PostgreSQL's client tools to its end. A password goes by the environment: what is typed is seen by
 * everybody on the machine.
 * @param url the database; none for a tool that asks none
 * @returns what it printed
 * @throws OperatorError in the tool's own words, or saying where to get it
 */
export async function runTool(
  tool: 'pg_dump' | 'pg_restore',
  words: readonly string[],
  { url, environment }: { url?: string; environment: Record<string, string> },
): Promise<string> {
  const { shown, password } = url === undefined ? { shown: null, password: null } : withoutPassword(url);
  const child = spawn(tool, [...(shown === null ? [] : [`--dbname=${shown}`]), ...words], {
    env: { ...environment, LC_ALL: 'C', ...(password !== null && { PGPASSWORD: password }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  try {
    const code = await ended;
    const [printed, said] = await output;
    if (code === 0) return printed;
    const why = said.trim().slice(0, 2_000) || `it ended with ${code}`;
    throw new OperatorError(`${tool} failed: ${why}${newerTools(said)}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new OperatorError(
      `${tool} is not installed here. It comes with PostgreSQL's client tools, of the server's major version or newer; the embedded database brings none.`,
    );
  }
}

/** @returns where to get the tools that a server wants which is newer than those installed here; '' for other failures */
function newerTools(said: string): string {
  const major = /server version: (\d+)/.exec(said)?.[1];
  if (!said.includes('server version mismatch') || major === undefined) return '';
  return `
The server is PostgreSQL ${major}, and the tools here are older. Install its client tools; on Debian and Ubuntu, from PostgreSQL's own packages:
  apt-get install postgresql-common && /usr/share/postgresql-common/pgdg/apt.postgresql.org.sh && apt-get install postgresql-client-${major}
and put them first on the PATH: export PATH=/usr/lib/postgresql/${major}/bin:$PATH`;
}

/** libpq knows all words of ours but one. */
function withoutPassword(url: string): { shown: string; password: string | null } {
  const parts = /^(\w+:\/\/)(?:([^:@/?]*)(?::([^@/?]*))?@)?(.*)$/.exec(url);
  if (parts === null) throw new OperatorError('The URL of the database cannot be read.');
  const [, scheme = '', user = '', password, rest = ''] = parts;
  const known = rest.replace(/([?&])uselibpqcompat=[^&]*&?/, '$1').replace(/[?&]$/, '');
  return {
    shown: `${scheme}${user === '' ? '' : `${user}@`}${known}`,
    password: password === undefined ? null : decodeURIComponent(password),
  };
}
