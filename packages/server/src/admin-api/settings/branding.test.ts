import { expect, onTestFinished, test } from 'vitest';
import { type Asking, asEveryRole, asRole } from '../../../test/admin.ts';
import { applyProgram } from '../../../test/apply-program.ts';
import { entriesOf } from '../../../test/audit.ts';
import { urlsOf } from '../../../test/database-url.ts';
import { images, png } from '../../../test/images.ts';
import { useManagement } from '../../../test/management.ts';
import { runInProcess } from '../../../test/run-in-process.ts';
import { startSmtpSink } from '../../../test/smtp-sink.ts';
import { signIn } from '../../../test/staff.ts';
import { startService } from '../../../test/test-service.ts';

const { service } = useManagement();
const db = () => service().testDatabase.database.db;
const base64 = (image: Buffer): string => image.toString('base64');
const branding = async (ask: Asking) => (await ask('GET', '/branding')).body;
const load = (path: string, headers: Record<string, string> = {}) =>
  service().call('GET', path, { key: null, headers });

async function save(ask: Asking, change: object) {
  const { version } = await branding(ask);
  return ask('PUT', '/branding', { version, ...change });
}

test('every role can see the branding, and only an owner of the publisher can change it', async () => {
  const roles = await asEveryRole(service());
  const { version, ...shown } = await branding(roles.viewer);
  expect(shown).toMatchObject({ publisherId: 'aurora', name: 'Aurora Games', accent: null, logo: null });
  const body = { version, accent: '#7a1fa2', logo: base64(png(32, 16)) };
  for (const [role, ask] of Object.entries(roles))
    if (role !== 'owner') expect(await ask('PUT', '/branding', body), role).toMatchObject({ status: 403 });
  const rival = await asRole(service(), 'owner', 'rival');
  const whole = '/admin/v1/publishers/aurora/branding';
  expect(await rival('GET', whole)).toMatchObject({ status: 404 });
  expect(await rival('PUT', whole, body)).toMatchObject({ status: 404 });
  expect((await branding(roles.owner)).version).toBe(version);
});

test('rejects an accent with too little contrast, and offers the nearest shade that passes', async () => {
  const owner = await asRole(service(), 'owner');
  const check = (color: string) => owner('GET', `/branding/accent?color=${encodeURIComponent(color)}`);
  expect(await save(owner, { accent: '#FFCC00' })).toMatchObject({
    status: 400,
    body: { code: 'InvalidInput', message: expect.stringContaining('The nearest shade that passes is #8') },
  });
  const { body } = await check('#FFCC00');
  expect(body).toMatchObject({ color: '#ffcc00', passes: false, contrast: 1.51, minContrast: 4.5 });
  expect((await check(body.nearest)).body).toMatchObject({ passes: true, nearest: body.nearest });
  for (const bad of ['', 'red', '#fff', '#7a1fa2;', '#7a1fa200', '#gggggg']) {
    expect(await check(bad), bad).toMatchObject({ status: 400 });
    expect(await save(owner, { accent: bad }), bad).toMatchObject({ status: 400 });
  }
  const entries = await entriesOf(db(), async () => {
    for (let time = 0; time < 2; time += 1)
      expect(await save(owner, { accent: body.nearest.toUpperCase() })).toMatchObject({
        status: 200,
        body: { accent: body.nearest },
      });
  });
  expect(entries).toMatchObject([
    {
      action: 'publisher.put',
      target: 'publisher:aurora',
      before: { accent: null },
      after: { accent: body.nearest },
    },
  ]);
});

test('accepts as a logo only a whole image of a known type and a sensible size', async () => {
  const owner = await asRole(service(), 'owner');
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';
  const refused = {
    'Export the logo as a PNG': Buffer.from(svg),
    'must be a PNG, JPEG or WebP': Buffer.from('GIF89a'),
    'must not be animated': Buffer.from(images.animatedWebp, 'base64'),
    'Export it again': Buffer.concat([png(32, 16), Buffer.from('PK')]),
    'must not be larger than 256 kB': png(32, 16, { extra: 256 * 1024 }),
    'is 15 × 16 pixels': png(15, 16),
    'is 2001 × 16 pixels': png(2_001, 16),
  };
  const entries = await entriesOf(db(), async () => {
    for (const [message, image] of Object.entries(refused))
      expect(await save(owner, { accent: '#000000', logo: base64(image) }), message).toMatchObject({
        status: 400,
        body: { code: 'InvalidInput', message: expect.stringContaining(message) },
      });
    for (const bad of [
      '',
      'no base64',
      `${base64(png(32, 16))}\n`,
      'data:image/png;base64,AA==',
      7,
      {},
      'A'.repeat(1_000_001),
    ])
      expect(await save(owner, { logo: bad })).toMatchObject({ status: 400, body: { code: 'InvalidInput' } });
    expect(await save(owner, { logo: null })).toMatchObject({ status: 200, body: { logo: null } });
  });
  expect(entries).toEqual([]);
});

test('serves the logo to anyone at an address with its hash, until it is replaced or removed', async () => {
  const owner = await asRole(service(), 'owner');
  const paths: string[] = [];
  const entries = await entriesOf(db(), async () => {
    for (const [image, type, ending] of [
      [png(960, 96), 'image/png', 'png'],
      [Buffer.from(images.jpeg, 'base64'), 'image/jpeg', 'jpg'],
      [Buffer.from(images.webp, 'base64'), 'image/webp', 'webp'],
    ] as const) {
      const { logo } = (await save(owner, { logo: base64(image) })).body;
      expect(logo).toMatchObject({
        type,
        path: expect.stringMatching(`^/logos/aurora/[0-9a-f]{32}\\.${ending}$`),
      });
      const { status, headers } = await load(logo.path);
      expect([status, headers.get('content-type'), headers.get('content-length')]).toEqual([
        200,
        type,
        String(image.length),
      ]);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
      expect(headers.get('cache-control')).toBe('public, max-age=86400, immutable');
      expect(headers.get('set-cookie')).toBeNull();
      const served = await fetch(`${service().url}${logo.path}`);
      expect(Buffer.from(await served.arrayBuffer()).equals(image)).toBe(true);
      expect((await load(logo.path, { 'if-none-match': headers.get('etag') ?? '' })).status).toBe(304);
      paths.push(logo.path);
    }
    expect(await save(owner, { logo: images.webp })).toMatchObject({ status: 200 });
    expect(await save(owner, { logo: null })).toMatchObject({ status: 200, body: { logo: null } });
  });
  const logoOf = (path: string) => ({ logo: { hash: path.split(/[/.]/).at(-2) } });
  expect(entries.map(({ action, before, after }) => ({ action, before, after }))).toMatchObject([
    { action: 'publisher.put-logo', before: { logo: null }, after: logoOf(paths[0] ?? '') },
    { before: logoOf(paths[0] ?? ''), after: logoOf(paths[1] ?? '') },
    { before: logoOf(paths[1] ?? ''), after: logoOf(paths[2] ?? '') },
    { before: logoOf(paths[2] ?? ''), after: { logo: null } },
  ]);
  // Replaced logos disappear at once. The removed one disappears once the process's cached copy expires.
  for (const path of paths.slice(0, 2)) expect((await load(path)).status).toBe(404);
  await expect.poll(async () => (await load(paths[2] ?? '')).status, { timeout: 8_000 }).toBe(404);
});

test('serves no other address, and limits how often a network can try', async () => {
  // The limit belongs to a process. In the shared one, used-up tries would fail the tests that follow.
  const other = await startService({ beside: service() });
  onTestFinished(() => other.close());
  const load = (path: string) => other.call('GET', path, { key: null });
  const rival = await asRole(service(), 'owner', 'rival');
  const { logo } = (await save(rival, { logo: base64(png(64, 64)) })).body;
  const elsewhere = logo.path.replace('/rival/', '/aurora/');
  for (const [path, status] of [
    [elsewhere, 404],
    [logo.path.replace('.png', '.jpg'), 404],
    [logo.path.replace('/rival/', '/riv%00al/'), 400],
    [`${logo.path}.svg`, 400],
    ['/logos/rival/..%2f..%2fsecret.png', 400],
    ['/logos/rival', 404],
  ] as const)
    expect((await load(path)).status, path).toBe(status);
  const statuses = new Set<number>();
  for (let time = 0; time < 80; time += 1) statuses.add((await load(elsewhere)).status);
  expect([...statuses]).toEqual([404, 429]);
});

test('saves only one of two edits of the same version', async () => {
  const owner = await asRole(service(), 'owner');
  const { version } = await branding(owner);
  const answers = await Promise.all(
    [{ accent: '#123456' }, { logo: base64(png(20, 20)) }, { accent: '#654321', logo: null }].map((change) =>
      owner('PUT', '/branding', { version, ...change }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  for (const { status, body } of answers) if (status === 409) expect(body.code).toBe('Stale');
  expect(await owner('PUT', '/branding', {})).toMatchObject({ status: 400 });
});

test('takes a link for codes that is https and has one place for the code, and nothing else', async () => {
  const owner = await asRole(service(), 'owner');
  const good = 'https://shop.example/pass?code={code}&from=creator';
  expect(await save(owner, { codeLink: ` ${good} ` })).toMatchObject({
    status: 200,
    body: { codeLink: good },
  });
  for (const [bad, message] of [
    ['http://shop.example/?code={code}', 'starts with https://'],
    ['shop.example/{code}', 'starts with https://'],
    ['https://{code}.example/', 'starts with https://'],
    ['https://user:pass@shop.example/{code}', 'starts with https://'],
    ['javascript:alert(1)//{code}', 'starts with https://'],
    ['https://shop.example/', 'must contain {code} once'],
    ['https://shop.example/{code}?again={code}', 'must contain {code} once'],
    [`https://shop.example/{code}${'x'.repeat(500)}`, '500'],
    ['https://shop.example/\u202e{code}', ''],
    ['', 'starts with https://'],
    [7, ''],
  ])
    expect(await save(owner, { codeLink: bad }), String(bad)).toMatchObject({
      status: 400,
      body: { code: 'InvalidInput', message: expect.stringContaining(String(message)) },
    });
  expect(await branding(owner)).toMatchObject({ codeLink: good });
  const { text } = await owner('GET', '/program-file');
  expect(text).toContain(`  codeLink: "${good}"\n`);
  expect(await entriesOf(db(), () => applyProgram(db(), text))).toEqual([]);
  expect(await save(owner, { codeLink: null })).toMatchObject({ status: 200, body: { codeLink: null } });
});

test('puts the accent into the program file, and the accent and the logo into a new sandbox', async () => {
  const owner = await asRole(service(), 'owner');
  await save(owner, { accent: '#0055aa', logo: base64(png(40, 20)) });
  const { text } = await owner('GET', '/program-file');
  expect(text).toContain('  accent: "#0055aa"\n');
  expect(text).toContain("# Left out, because a file can't express it: the logo.");
  expect(await entriesOf(db(), () => applyProgram(db(), text))).toEqual([]);
  await expect(applyProgram(db(), 'publisher: { id: aurora, accent: "#ffcc00" }')).rejects.toThrow(
    'nearest shade',
  );
  await applyProgram(db(), 'publisher: { id: aurora, accent: "#AA5500" }');
  expect(await branding(owner)).toMatchObject({ accent: '#aa5500', logo: { width: 40 } });
  const person = await signIn(service(), 'owner');
  const copied = await person.ask('POST', '/sandbox', { replaces: null });
  const sandbox = `/admin/v1/publishers/${copied.body.sandbox.publisherId}/branding`;
  const { body } = await person.ask('GET', sandbox);
  expect(body).toMatchObject({ accent: '#aa5500', logo: { width: 40 } });
  expect((await load(body.logo.path)).status).toBe(200);
  const { version } = body;
  expect(await person.ask('PUT', sandbox, { version, accent: null })).toMatchObject({ status: 403 });
});

test('shows the logo and the accent in an invitation, and the name without PUBLIC_URL', async () => {
  const owner = await asRole(service(), 'owner');
  const { logo } = (await save(owner, { accent: '#7a1fa2', logo: base64(png(480, 96)) })).body;
  const sink = await startSmtpSink();
  try {
    const invite = async (email: string, settings: Record<string, string>) => {
      const words = ['staff', 'invite', '--publisher', 'aurora', '--email', email, '--role', 'viewer'];
      const environment = { ...urlsOf(service().testDatabase), SMTP_URL: sink.url, ...settings };
      expect(await runInProcess(words, { environment })).toMatchObject({ code: 0 });
      return (await sink.next()).replaceAll('=\r\n', '').replaceAll('=3D', '=');
    };
    const mail = await invite('one@example.com', { PUBLIC_URL: 'https://creators.aurora.example' });
    expect(mail).toContain(
      `<img src="https://creators.aurora.example${logo.path}" width="240" height="48" alt="Aurora Games"`,
    );
    expect(mail).toContain('bgcolor="#7a1fa2"');
    const local = await invite('two@example.com', {});
    expect(local).not.toContain('<img');
    expect(local).toContain('>Aurora Games</div>');
  } finally {
    await sink.close();
  }
});
