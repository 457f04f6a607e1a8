import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Container, runToEnd, until } from './container.ts';
import { run } from './run.ts';

interface Images {
  readonly withPostgresql: string;
  readonly alone: string;
}

const here = ['--env=HOST=127.0.0.1', '--env=PORT=0'];

/**
 * Tests both images with Podman under the limits of the strictest clusters: the demo with a purchase, a
 * killed database, a graceful stop, and a second start. Then starts the image without PostgreSQL on the same
 * database, with secrets in files.
 */
export async function tryImages(
  { withPostgresql, alone }: Images,
  print: (line: string) => void,
): Promise<void> {
  const name = `attribution-try-${process.pid}`;
  const volumes = ['data', 'tmp', 'secrets'].map((word) => `${name}-${word}`);
  const [data = '', tmp = ''] = volumes;
  const folder = mkdtempSync(join(tmpdir(), 'attribution-try-'));
  const containers: Container[] = [];
  const start = (image: string, words: string[], options: string[]): Container => {
    const container = new Container(`${name}-${containers.length}`, {
      image,
      words,
      options: [...here, ...options],
    });
    containers.push(container);
    return container;
  };
  const stores = [`--volume=${data}:/data`, `--volume=${tmp}:/tmp`];
  try {
    // Both containers share the temporary folder that contains the database's socket. A new volume belongs to root.
    run('podman', ['volume', 'create', tmp]);
    run('chmod', ['1777', run('podman', ['volume', 'inspect', '--format', '{{.Mountpoint}}', tmp]).trim()]);
    const first = start(withPostgresql, [], stores);
    const url = await first.listening();
    const key = /backend \(secret\)\s+(svc_sk_\S+)/.exec(first.output())?.[1] ?? '';
    assert.deepEqual(first.privileges(), {
      uids: '10001\t10001\t10001\t10001',
      privileges: '0000000000000000',
      mayGainMore: false,
    });
    await until('the demo to be ready', async () => (await statusOf(`${url}/readyz`)) === 200, first);
    assert.equal(await statusOf(`${url}/sign-in`), 200);
    assert.equal(await purchase(url, key, 'first'), 200);
    assert.equal(await purchase(url, key, 'first'), 409);
    print('  the demo runs, as user 10001, on a read-only root; a purchase is saved once');

    const port = new URL(url).port;
    assert.equal(first.execute(['attribution', 'health']).code, 1); // PORT is 0 here
    assert.equal(first.execute(['attribution', 'health', '--ready'], { PORT: port }).code, 0);
    assert.equal(first.execute(['attribution', 'doctor']).code, 0);
    assert.match(
      inNode(
        first,
        "try { fs.writeFileSync('/srv/attribution/x', '') } catch (error) { console.log(error.code) }",
      ),
      /EROFS/,
    );
    assert.match(
      inNode(
        first,
        "console.log(new Date(0).toLocaleString('de-DE', { timeZone: 'Europe/Berlin' }), fs.existsSync('/usr/share/zoneinfo/Europe/Berlin'))",
      ),
      /1\.1\.1970, 01:00:00 true/,
    );
    assert.match(
      inNode(
        first,
        "console.log(fs.readFileSync(process.env.SSL_CERT_FILE, 'utf8').split('BEGIN CERT').length > 100)",
      ),
      /true/,
    );
    print(
      '  health and doctor work inside; time zones and certificates are present; nothing else is writable',
    );

    const postmaster = readPid(first);
    process.kill(postmaster.onThisMachine, 'SIGKILL');
    await until(
      'a purchase after the database was killed',
      async () => (await purchase(url, key, 'second')) === 200,
      first,
    );
    print('  process 1 restarts a killed database');

    const second = start(
      alone,
      ['serve', '--role', 'api'],
      [
        ...stores.map((store) => `${store}:ro`).slice(1),
        `--volume=${secretFiles(folder, first)}:/run/secrets:ro`,
        '--env=DATABASE_URL_FILE=/run/secrets/url',
        '--env=SECRETS_KEY_FILE=/run/secrets/key',
        '--env=LOG_LEVEL=warn',
      ],
    );
    const secondUrl = await second.listening();
    assert.equal(await purchase(secondUrl, key, 'second'), 409);
    assert.equal(await purchase(secondUrl, key, 'third'), 200);
    assert.notEqual(second.execute(['/bin/sh', '-c', 'true']).code, 0);
    second.kill('SIGTERM');
    assert.equal(await second.ended(), 0);
    print('  without PostgreSQL: uses the same database, with secrets from files; there is no shell');

    const slow = sendSlowly(url, key);
    await until('the half of a purchase to arrive', () => slow.isUnderWay());
    first.kill('SIGTERM');
    await until('the stop to begin', () => first.output().includes('Stopping'));
    assert.equal(await slow.finish(), 200);
    assert.equal(await first.ended(), 0);
    assert.match(first.output(), /^Stopped\.$/m);
    print('  SIGTERM to process 1: requests in progress are answered, then it exits with 0');

    const again = start(withPostgresql, [], stores);
    // Node misses signals while starting, so the signal is sent repeatedly.
    await until('a stop while it starts', () => {
      if (again.isRunning()) again.kill('SIGTERM');
      return !again.isRunning();
    });
    assert.ok([143, 0].includes(await again.ended()));
    const third = start(withPostgresql, [], stores);
    const thirdUrl = await third.listening();
    for (const id of ['first', 'second', 'third', 'slow'])
      assert.equal(await purchase(thirdUrl, key, id), 409);
    third.kill('SIGTERM');
    assert.equal(await third.ended(), 0);
    print('  a stop during the start works; the next start has every purchase');

    const lost = runToEnd({ image: alone, words: ['serve'], options: here });
    assert.equal(lost.code, 1);
    assert.match(lost.output, /set DATABASE_URL/);
    print('  without PostgreSQL and DATABASE_URL, it prints what to do');
  } catch (error) {
    for (const container of containers) print(`── ${container.name}\n${container.output()}`);
    throw error;
  } finally {
    for (const container of containers) container.remove();
    for (const volume of volumes.slice(0, 2)) run('podman', ['volume', 'rm', '--force', volume]);
    rmSync(folder, { recursive: true });
  }
}

const inNode = (container: Container, script: string): string =>
  container.execute(['node', '--eval', script]).output;

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status;
}

const bodyOf = (transactionId: string): string =>
  JSON.stringify({
    transactionId,
    code: 'ALICE',
    description: 'Battle pass',
    subtotal: 999,
    currency: 'USD',
    transactionDate: '2026-05-01T12:00:00Z',
  });

const headersOf = (key: string) => ({ 'x-shared-secret': key, 'content-type': 'application/json' });

/**
 * Records a purchase, retrying after a 503, which is likely on an emulated machine. A 409 on a retry means
 * that the purchase was saved.
 */
async function purchase(url: string, key: string, transactionId: string): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(`${url}/v1/attributions/transactions`, {
      method: 'POST',
      headers: headersOf(key),
      body: bodyOf(transactionId),
    });
    await response.arrayBuffer();
    if (response.status === 409 && tries > 1) return 200;
    if (response.status !== 503 || tries === 20) return response.status;
    await sleep(1_000);
  }
}

/** Sends the first half of a purchase; `finish` sends the rest. */
function sendSlowly(url: string, key: string): { isUnderWay(): boolean; finish(): Promise<number> } {
  const body = bodyOf('slow');
  const sent = request(`${url}/v1/attributions/transactions`, {
    method: 'POST',
    headers: { ...headersOf(key), 'content-length': Buffer.byteLength(body) },
  });
  const status = new Promise<number>((resolve, reject) => {
    sent.on('response', (response) => resolve(response.resume().statusCode ?? 0)).on('error', reject);
  });
  let isUnderWay = false;
  sent.write(body.slice(0, 20), () => setTimeout(() => (isUnderWay = true), 300));
  return {
    isUnderWay: () => isUnderWay,
    finish() {
      sent.end(body.slice(20));
      return status;
    },
  };
}

/** Returns the database postmaster's process id on this machine, and its socket's folder. */
function readPid(container: Container): { onThisMachine: number; socketFolder: string } {
  const lines = inNode(
    container,
    "console.log(fs.readFileSync('/data/postgres/postmaster.pid', 'utf8'))",
  ).split('\n');
  const children = run('ps', ['--ppid', String(container.pid), '-o', 'pid='])
    .trim()
    .split(/\s+/);
  return { onThisMachine: Number(children[0]), socketFolder: lines[4]?.trim() ?? '' };
}

/** Writes each secret to a file, as a cluster does. */
function secretFiles(folder: string, container: Container): string {
  const { socketFolder } = readPid(container);
  const key = inNode(container, "console.log(fs.readFileSync('/data/secrets.key', 'utf8'))");
  run('chmod', ['755', folder]);
  writeFileSync(join(folder, 'url'), `postgres://attribution@/attribution?host=${socketFolder}\n`);
  writeFileSync(join(folder, 'key'), key);
  return folder;
}
