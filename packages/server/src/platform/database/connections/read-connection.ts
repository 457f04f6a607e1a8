import { readFileSync } from 'node:fs';
import { getCACertificates, rootCertificates } from 'node:tls';
import pg from 'pg';
import { ConfigError } from '../../config.ts';
import { OperatorError } from '../../operator-error.ts';
import { offersTls } from './cancel-query.ts';

const modes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type Mode = (typeof modes)[number];

/** TLS parameters of a connection string. pg parses all other parameters. */
const tlsParameters = [
  'ssl',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslpassword',
  'sslnegotiation',
  'channel_binding',
  'uselibpqcompat',
];

/**
 * Parses DATABASE_URL into pg's options. The TLS parameters have the same meaning as in libpq and psql: `sslmode`
 * defaults to `prefer`, `require` encrypts and verifies a certificate only when `sslrootcert` is set, and `verify-full`
 * verifies the certificate and the host name. There are three differences: no files are read from the home folder,
 * `allow` means `prefer`, and `verify-full` without `sslrootcert` trusts the authorities that Node and the system
 * trust.
 * @throws ConfigError for invalid parameters, OperatorError for a file that can't be read
 */
export async function readConnection(databaseUrl: string): Promise<pg.ClientConfig> {
  const at = databaseUrl.indexOf('?');
  const query = new URLSearchParams(at === -1 ? '' : databaseUrl.slice(at));
  const parameters = new Map(tlsParameters.map((name) => [name, query.get(name)]));
  for (const name of tlsParameters) query.delete(name);
  const base = at === -1 ? databaseUrl : databaseUrl.slice(0, at);
  const connectionString = query.size === 0 ? base : `${base}?${query}`;
  const isDirect = parameters.get('sslnegotiation') === 'direct';
  const ssl = await readTls(parameters, connectionString);
  return {
    connectionString,
    ssl,
    ...(isDirect && ssl !== false && { sslnegotiation: 'direct' }),
    ...(parameters.get('channel_binding') === 'require' && { enableChannelBinding: true }),
  };
}

async function readTls(
  parameters: ReadonlyMap<string, string | null>,
  connectionString: string,
): Promise<Exclude<pg.ClientConfig['ssl'], undefined | true>> {
  const { host, port } = new pg.Client({ connectionString, ssl: false });
  const mode = readMode(parameters);
  if (host.startsWith('/') || mode === 'disable') return false; // a Unix socket doesn't need encryption
  if ((mode === 'allow' || mode === 'prefer') && !(await offersTls({ host, port }))) return false;
  const authorities = readAuthorities(mode, parameters.get('sslrootcert') ?? null);
  return {
    ...(authorities === null ? { rejectUnauthorized: false } : { ca: authorities }),
    // Only verify-full checks the host name.
    ...(authorities !== null && mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
    ...readOwnCertificate(parameters),
  };
}

function readMode(parameters: ReadonlyMap<string, string | null>): Mode {
  const name = parameters.get('sslmode') ?? (parameters.get('ssl') === 'true' ? 'require' : 'prefer');
  if (name === 'no-verify') return 'require'; // pg's own name for `require`
  const mode = modes.find((each) => each === name);
  if (mode === undefined) {
    throw new ConfigError(
      `DATABASE_URL has sslmode=${JSON.stringify(name)}; it must be one of ${modes.join(', ')}`,
    );
  }
  return mode;
}

/** Returns the certificates to trust, or null if certificates aren't verified. */
function readAuthorities(mode: Mode, path: string | null): string[] | null {
  if (mode === 'allow' || mode === 'prefer') return null;
  if (path !== null && path !== 'system') return [readCertificates('sslrootcert', path)];
  if (mode === 'require') return null;
  if (mode === 'verify-ca') {
    throw new ConfigError(
      'DATABASE_URL has sslmode=verify-ca, which requires sslrootcert=FILE with the certificate of your own authority, since a public authority issues certificates to anyone. With a public authority, use verify-full',
    );
  }
  return [...rootCertificates, ...getCACertificates('system')];
}

function readOwnCertificate(parameters: ReadonlyMap<string, string | null>): {
  cert?: string;
  key?: string;
  passphrase?: string;
} {
  const [cert, key] = [parameters.get('sslcert') ?? null, parameters.get('sslkey') ?? null];
  if (cert === null && key === null) return {};
  if (cert === null || key === null)
    throw new ConfigError(
      'DATABASE_URL has only one of sslcert and sslkey; a client certificate requires both',
    );
  const passphrase = parameters.get('sslpassword') ?? null;
  return {
    cert: readCertificates('sslcert', cert),
    key: readPem('sslkey', key, 'PRIVATE KEY'),
    ...(passphrase !== null && { passphrase }),
  };
}

const readCertificates = (name: string, path: string): string => readPem(name, path, 'CERTIFICATE');

function readPem(name: string, path: string, kind: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`Couldn't read the ${name} of DATABASE_URL: ${reason}`);
  }
  if (!text.includes(`${kind}-----`))
    throw new OperatorError(
      `The ${name} of DATABASE_URL, ${path}, contains no PEM text (-----BEGIN … ${kind}-----).`,
    );
  return text;
}
