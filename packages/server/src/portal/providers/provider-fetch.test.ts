import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { ProviderRefusal } from './provider.ts';
import { providerFetch } from './provider-fetch.ts';

let requests = 0;
const server = createServer((_, response) => {
  requests += 1;
  response.writeHead(302, { location: '/elsewhere', 'set-cookie': 'a=b' }).end();
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const get = (url: string, ownUrls: readonly string[]) =>
  providerFetch(ownUrls)(url, { method: 'GET', headers: {} });

/** Returns why a request was not sent. */
const reasonOf = (url: string, ownUrls: readonly string[]): Promise<string> =>
  get(url, ownUrls).then(
    () => 'sent',
    (error: unknown) => {
      expect(error).toBeInstanceOf(ProviderRefusal);
      expect(error).toMatchObject({ problem: 'unavailable' });
      const { cause } = error as ProviderRefusal;
      const inner = (cause as Error).cause;
      return inner instanceof Error ? inner.message : (cause as Error).message;
    },
  );

test('sends requests to a loopback provider that the operator has named, and follows no redirect', async () => {
  const response = await get(`http://127.0.0.1:${port}/x`, [`http://127.0.0.1:${port}`]);
  expect([response.status, response.headers.get('set-cookie'), requests]).toEqual([302, null, 1]);
});

test('sends nothing to a private address that only a provider’s configuration names', async () => {
  const named = ['https://id.example.com', 'http://127.0.0.1:1'];
  for (const host of [`127.0.0.1:${port}`, '10.0.0.1', '169.254.169.254', '[::1]'])
    expect(await reasonOf(`https://${host}/token`, named)).toMatch(/isn't on the public internet/);
  // Neither does it use plain HTTP.
  for (const url of [`http://127.0.0.1:${port}/token`, 'http://id.example.com/token'])
    expect(await reasonOf(url, named)).toMatch(/not reached over HTTPS/);
  expect(requests).toBe(1);
});
