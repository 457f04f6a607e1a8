import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { postgresBinaries } from '../src/platform/database/embedded/postgres-binaries.ts';
import { unprivilegedUser } from '../src/platform/database/embedded/unprivileged-user.ts';
import { until } from './attribution-process.ts';
import { freePort } from './free-port.ts';

/** PostgreSQL with TLS on 127.0.0.1, as `localhost`, with certificates from its own authority. */
export interface TlsServer {
  port: number;
  certificates: {
    authority: string;
    otherAuthority: string;
    /** Client certificate for the role `with_cert`. */
    client: string;
    clientKey: string;
  };
  run(statement: string): Promise<void>;
  stop(): Promise<void>;
}

const admissions = `
host    all all           127.0.0.1/32 trust
`;

/**
 * Starts the server.
 * @param hba pg_hba.conf lines before the line that accepts all connections
 */
export async function startTlsServer(hba: readonly string[]): Promise<TlsServer> {
  const folder = mkdtempSync(join(tmpdir(), 'attribution-tls-'));
  chmodSync(folder, 0o711);
  const data = join(folder, 'data');
  const { uid, gid, spawnOptions } = unprivilegedUser(data);
  const own = (path: string): string => {
    if (uid !== null) chownSync(path, uid, gid ?? -1);
    return path;
  };
  own(folder);
  const initialised = spawnSync(
    postgresBinaries().initdb,
    ['-D', data, '-U', 'postgres', '-E', 'UTF8', '--locale=C', '--auth=trust', '--no-sync'],
    { ...spawnOptions, cwd: '/', encoding: 'utf8' },
  );
  if (initialised.status !== 0) throw new Error(`initdb: ${initialised.stderr}`);
  const certificates = makeCertificates(folder);
  for (const path of [certificates.server, certificates.serverKey]) chmodSync(own(path), 0o600);
  writeFileSync(join(data, 'pg_hba.conf'), `${hba.join('\n')}${admissions}`);
  const port = await freePort();
  const child = spawn(
    postgresBinaries().postgres,
    [
      ...['-D', data, '-k', ''],
      ...Object.entries({
        listen_addresses: '127.0.0.1',
        port,
        ssl: 'on',
        ssl_cert_file: certificates.server,
        ssl_key_file: certificates.serverKey,
        ssl_ca_file: certificates.authority,
        fsync: 'off',
      }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { ...spawnOptions, cwd: '/', stdio: 'ignore' },
  );
  const exited = once(child, 'exit');
  const run = async (statement: string): Promise<void> => {
    const client = new pg.Client({
      host: '127.0.0.1',
      port,
      user: 'postgres',
      database: 'postgres',
      ssl: false,
    });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await until(
    'PostgreSQL with TLS to listen',
    () =>
      run('select 1').then(
        () => true,
        () => false,
      ),
    exited.then(([code]) => {
      throw new Error(`PostgreSQL ended with ${code}`);
    }),
  );
  return {
    port,
    certificates,
    run,
    async stop() {
      child.kill('SIGQUIT');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function makeCertificates(folder: string) {
  const path = (name: string): string => join(folder, name);
  const openssl = (...words: string[]): void => {
    const { status, stderr } = spawnSync('openssl', words, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`openssl ${words.join(' ')}: ${stderr}`);
  };
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const authority = (name: string): string => {
    openssl(
      ...['req', '-x509', ...newKey, '-subj', `/CN=${name}`],
      ...['-keyout', path(`${name}.key`), '-out', path(`${name}.pem`)],
    );
    return path(`${name}.pem`);
  };
  const signed = (name: string, subject: string, extension: string): string => {
    openssl(
      ...['req', '-x509', ...newKey, '-subj', `/CN=${subject}`, '-addext', extension],
      ...['-CA', path('authority.pem'), '-CAkey', path('authority.key')],
      ...['-keyout', path(`${name}.key`), '-out', path(`${name}.pem`)],
    );
    return path(`${name}.pem`);
  };
  return {
    authority: authority('authority'),
    otherAuthority: authority('other'),
    server: signed('server', 'localhost', 'subjectAltName=DNS:localhost'),
    serverKey: path('server.key'),
    client: signed('client', 'with_cert', 'extendedKeyUsage=clientAuth'),
    clientKey: path('client.key'),
  };
}
