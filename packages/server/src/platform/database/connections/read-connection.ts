import { readFileSync } from 'node:fs';
import { getCACertificates, rootCertificates } from 'node:tls';
import pg from 'pg';
import { ConfigError } from '../../config.ts';
import { OperatorError } from '../../operator-error.ts';
import { offersTls } from './cancel-query.ts';

const modes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type Mode = (typeof modes)[number];

/** Parameters of a connection string for TLS; pg parses the others. */
const tlsWords = [
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
 * Parses DATABASE_URL into pg's options. The TLS parameters mean the same as in libpq and psql: `sslmode` defaults to `prefer`,
 * `require` encrypts and verifies a certificate only when `sslrootcert` is set, and `verify-full` verifies certificate and host
 * name. There are three differences: no files are read from the home folder, `allow` means `prefer`, and `verify-full` without
 * `sslrootcert` trusts the authorities that Node and the system trust.
 * @throws ConfigError for invalid parameters, OperatorError for a file that cannot be read
 */
export async function readConnection(databaseUrl: string): Promise<pg.ClientConfig> {
  const at = databaseUrl.indexOf('?');
  const query = new URLSearchParams(at === -1 ? '' : databaseUrl.slice(at));
  const words = new Map(tlsWords.map((word) => [word, query.get(word)]));
  for (const word of tlsWords) query.delete(word);
  const base = at === -1 ? databaseUrl : databaseUrl.slice(0, at);
  const connectionString = query.size === 0 ? base : `${base}?${query}`;
  const isDirect = words.get('sslnegotiation') === 'direct';
  const ssl = await readTls(words, connectionString);
  return {
    connectionString,
    ssl,
    ...(isDirect && ssl !== false && { sslnegotiation: 'direct' }),
    ...(words.get('channel_binding') === 'require' && { enableChannelBinding: true }),
  };
}

async function readTls(
  words: ReadonlyMap<string, string | null>,
  connectionString: string,
): Promise<Exclude<pg.ClientConfig['ssl'], undefined | true>> {
  const { host, port } = new pg.Client({ connectionString, ssl: false });
  const mode = readMode(words);
  if (host.startsWith('/') || mode === 'disable') return false; // a Unix socket needs no encryption
  if ((mode === 'allow' || mode === 'prefer') && !(await offersTls({ host, port }))) return false;
  const authorities = readAuthorities(mode, words.get('sslrootcert') ?? null);
  return {
    ...(authorities === null ? { rejectUnauthorized: false } : { ca: authorities }),
    // Only verify-full checks the host name.
    ...(authorities !== null && mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
    ...readOwnCertificate(words),
  };
}

function readMode(words: ReadonlyMap<string, string | null>): Mode {
  const word = words.get('sslmode') ?? (words.get('ssl') === 'true' ? 'require' : 'prefer');
  if (word === 'no-verify') return 'require'; // pg's own name for it
  const mode = modes.find((each) => each === word);
  if (mode === undefined) {
    throw new ConfigError(
      `DATABASE_URL has sslmode=${JSON.stringify(word)}; it must be one of ${modes.join(', ')}`,
    );
  }
  return mode;
}

/** Returns the certificates to trust; null when certificates are not verified. */
function readAuthorities(mode: Mode, path: string | null): string[] | null {
  if (mode === 'allow' || mode === 'prefer') return null;
  if (path !== null && path !== 'system') return [readCertificates('sslrootcert', path)];
  if (mode === 'require') return null;
  if (mode === 'verify-ca') {
    throw new ConfigError(
      'DATABASE_URL has sslmode=verify-ca, which requires sslrootcert=FILE with the certificate of your own authority, since a public authority issues certificates to anyone. With a public one, use verify-full',
    );
  }
  return [...rootCertificates, ...getCACertificates('system')];
}

function readOwnCertificate(words: ReadonlyMap<string, string | null>): {
  cert?: string;
  key?: string;
  passphrase?: string;
} {
  const [cert, key] = [words.get('sslcert') ?? null, words.get('sslkey') ?? null];
  if (cert === null && key === null) return {};
  if (cert === null || key === null)
    throw new ConfigError(
      'DATABASE_URL has only one of sslcert and sslkey; a client certificate requires both',
    );
  const passphrase = words.get('sslpassword') ?? null;
  return {
    cert: readCertificates('sslcert', cert),
    key: readPem('sslkey', key, 'PRIVATE KEY'),
    ...(passphrase !== null && { passphrase }),
  };
}

const readCertificates = (word: string, path: string): string => readPem(word, path, 'CERTIFICATE');

function readPem(word: string, path: string, kind: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`Couldn't read the ${word} of DATABASE_URL: ${reason}`);
  }
  if (!text.includes(`${kind}-----`))
    throw new OperatorError(
      `The ${word} of DATABASE_URL, ${path}, contains no PEM text (-----BEGIN … ${kind}-----).`,
    );
  return text;
}
