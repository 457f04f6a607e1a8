import { afterEach, expect, test } from 'vitest';
import {
  type AttributionServer,
  killLeftovers,
  startServer,
  until,
} from '../../../test/attribution-process.ts';
import { freePort } from '../../../test/free-port.ts';
import { makeStartedFolder } from '../../../test/started-folder.ts';
import { readConfig } from '../../platform/config.ts';
import { demoPortal } from './demo-portal.ts';

afterEach(killLeftovers);

const key = { SECRETS_KEY: Buffer.alloc(32).toString('base64') };
const portalWith = (environment: Record<string, string>, isDemo = true, role: 'all' | 'api' = 'all') =>
  demoPortal({ config: readConfig(environment), role, isDemo, print: () => undefined });

test.each<[string, Record<string, string>]>([
  ['a database of its own', { DATABASE_URL: 'postgres://u@h/d', ...key }],
  ['a public address', { PUBLIC_URL: 'https://creators.example.com' }],
  ['a mail server', { SMTP_URL: 'smtp://mail.example:587' }],
  ['a portal', { PORTAL_URL: 'https://me.example.com', SMTP_URL: 'smtp://mail.example:587' }],
  ['other computers as clients', { HOST: '0.0.0.0' }],
  ['the host name of this computer', { HOST: 'demo.example.com' }],
  ['an unknown port', { PORT: '0' }],
])('is off in a service with %s', (_, environment) => {
  expect(portalWith(environment)).toBeNull();
});

test('is off without the demo, and in a process that does only a part of the work', () => {
  expect(portalWith({})?.url).toBe('http://localhost:8080/creators');
  expect(portalWith({}, false)).toBeNull();
  expect(portalWith({}, true, 'api')).toBeNull();
});

async function post(server: AttributionServer, port: number, path: string, body: object, cookie = '') {
  const response = await fetch(`${server.url}/portal/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: `http://localhost:${port}`, cookie },
    body: JSON.stringify(body),
  });
  const cookies = response.headers.getSetCookie().map((each) => each.split(';', 1)[0]);
  return { status: response.status, cookie: cookies.join('; ') };
}

test('a newcomer opens the demo’s portal with the printed link, and later with a printed code', async () => {
  const folder = await makeStartedFolder();
  const port = await freePort();
  const environment = { DATA_DIR: folder.path, PORT: String(port) };
  const first = await startServer(environment);
  const [, token = ''] = await until('the link', () =>
    /Creators' portal: http:\/\/localhost:\d+\/creators\/invitation#(\S+) {2}\(as the creator Ember/.exec(
      first.stdout(),
    ),
  );
  const accepted = await post(first, port, '/auth/invitation/accept', { token, as: 'invited' });
  expect(accepted.status).toBe(200);
  const home = await fetch(`${first.url}/portal/v1/home?publisher=aurora`, {
    headers: { cookie: accepted.cookie },
  });
  const { groups } = (await home.json()) as { groups: unknown[] };
  expect(groups.length).toBeGreaterThan(0);
  first.kill('SIGTERM');
  await first.ended;

  const second = await startServer(environment);
  await until('the line', () => second.stdout().includes('/creators/enter  (sign in as ember@example.com;'));
  const asked = await post(second, port, '/auth/codes', { email: 'ember@example.com' });
  const [, code = ''] = await until('the email', () =>
    /Email to ember@example\.com: [^\n]+\n[\s\S]*?\b([2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4})\b/.exec(
      second.stdout(),
    ),
  );
  expect(await post(second, port, '/auth/codes/enter', { code }, asked.cookie)).toMatchObject({
    status: 200,
  });
  second.kill('SIGTERM');
  await second.ended;

  const elsewhere = await startServer({ ...environment, HOST: '0.0.0.0' });
  expect(elsewhere.stdout()).not.toContain("Creators' portal");
  expect(await post(elsewhere, port, '/auth/codes', { email: 'ember@example.com' })).toMatchObject({
    status: 404,
  });
  elsewhere.kill('SIGTERM');
  const { stdout } = await elsewhere.ended;
  expect(stdout).not.toContain('Email to');
  await folder.remove();
});
