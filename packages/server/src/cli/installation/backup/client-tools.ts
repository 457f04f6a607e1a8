import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { OperatorError } from '../../../platform/operator-error.ts';

/**
 * Runs one of PostgreSQL's client tools. The password is passed in the environment, because every user on the
 * machine can see the arguments.
 * @param url the database URL, if the tool needs a database
 * @returns the tool's output
 * @throws OperatorError with the tool's own message, or with instructions to install the tool
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
    const [printed, errors] = await output;
    if (code === 0) return printed;
    const reason = errors.trim().slice(0, 2_000) || `exit code ${code}`;
    throw new OperatorError(`${tool} failed: ${reason}${newerTools(errors)}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new OperatorError(
      `${tool} is not installed. Install PostgreSQL's client tools, with the server's major version or a newer one. The embedded database doesn't include them.`,
    );
  }
}

/** Returns instructions to install newer tools if the server is newer than the tools, or '' for other failures. */
function newerTools(errors: string): string {
  const major = /server version: (\d+)/.exec(errors)?.[1];
  if (!errors.includes('server version mismatch') || major === undefined) return '';
  return `
The server runs PostgreSQL ${major}, but the installed tools are older. Install the client tools for version ${major}. On Debian and Ubuntu, use PostgreSQL's own packages:
  apt-get install postgresql-common && /usr/share/postgresql-common/pgdg/apt.postgresql.org.sh && apt-get install postgresql-client-${major}
Then put them first on the PATH: export PATH=/usr/lib/postgresql/${major}/bin:$PATH`;
}

/** Separates the password from a URL, and removes the only parameter that libpq doesn't support. */
function withoutPassword(url: string): { shown: string; password: string | null } {
  const parts = /^(\w+:\/\/)(?:([^:@/?]*)(?::([^@/?]*))?@)?(.*)$/.exec(url);
  if (parts === null) throw new OperatorError('The database URL is invalid.');
  const [, scheme = '', user = '', password, rest = ''] = parts;
  const known = rest.replace(/([?&])uselibpqcompat=[^&]*&?/, '$1').replace(/[?&]$/, '');
  return {
    shown: `${scheme}${user === '' ? '' : `${user}@`}${known}`,
    password: password === undefined ? null : decodeURIComponent(password),
  };
}
