import { createServer, request as send } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../server/test/free-port.ts';
import { hasBrowser } from '../browser.ts';
import { usePortalPages } from '../portal.ts';

const port = await freePort();
const origin = `http://localhost:${port}`;
const portal = await usePortalPages({ environment: { PORTAL_URL: origin } });

/** Proxy of the portal's own host, which forwards only what docs/portal.md names. */
const proxy = createServer((request, response) => {
  if (!/^\/(creators(\/|$)|portal\/v1\/|logos\/)/.test(request.url ?? '')) {
    response.writeHead(404).end();
    return;
  }
  const { method, headers, url } = request;
  const forwarded = send(portal.service().url + url, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  request.pipe(forwarded);
});
beforeAll(() => new Promise<void>((resolve) => proxy.listen(port, 'localhost', resolve)));
afterAll(() => {
  proxy.closeAllConnections();
  proxy.close();
});

describe.skipIf(!hasBrowser)('a portal at a host of its own', () => {
  test('signs creators in there, and its emails lead there', async () => {
    const page = await portal.visit('/enter');
    await page.goto(`${origin}/creators`);
    await page.getByLabel('Email address').fill('host@example.com');
    await page.getByRole('button', { name: 'Send code' }).click();
    const mail = await portal.nextMail();
    expect(mail.link.href).toMatch(`${origin}/creators/enter#`);
    await page.goto(mail.link.href);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Connect your creator account' }).waitFor();
    expect(await page.goto(`${origin}/sign-in`).then((answer) => answer?.status())).toBe(404);
  });

  test('is named by the service’s other hosts, which sign no one in', async () => {
    const page = await portal.visit('/enter');
    await page.getByLabel('Email address').fill('elsewhere@example.com');
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByRole('alert').getByText(`Open the portal there.`).waitFor();
    await page.getByRole('alert').getByText(origin).waitFor();
  });
});
