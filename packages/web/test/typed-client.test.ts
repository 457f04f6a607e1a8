import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { clientBundle } from '../../../scripts/client-bundle.ts';
import type * as Client from '../../client/src/index.ts';
import type * as Public from '../../client/src/public.ts';
import { useTransactions } from '../../server/test/transactions.ts';

const { service, keys } = useTransactions();
const endpoint = inject('browserEndpoint');

test.skipIf(endpoint === null)('in a page, the typed client takes public keys only', async () => {
  const moduleOf = async (entry: string) => {
    const file = fileURLToPath(new URL(`../../client/src/${entry}.ts`, import.meta.url));
    return `data:text/javascript,${encodeURIComponent(await clientBundle(file)).replaceAll("'", '%27')}`;
  };
  const modules = { server: await moduleOf('index'), browser: await moduleOf('public') };
  const browser = await chromium.connect(endpoint ?? '');
  try {
    const page = await browser.newPage();
    const { backend, client } = keys();
    // Vitest rewrites `import()` in functions, so the page imports the modules in a script of its own.
    const imports = [
      `import { Attribution } from '${modules.server}';`,
      `import { PublicAttribution } from '${modules.browser}';`,
      'globalThis.typedClient = { Attribution, PublicAttribution };',
    ];
    await page.addScriptTag({ type: 'module', content: imports.join('\n') });
    await page.waitForFunction(() => 'typedClient' in globalThis);
    const seen = await page.evaluate(
      async ({ baseUrl, backend, client }) => {
        const { Attribution, PublicAttribution } = (
          globalThis as unknown as {
            typedClient: Pick<typeof Client, 'Attribution'> & Pick<typeof Public, 'PublicAttribution'>;
          }
        ).typedClient;
        const { members } = new PublicAttribution({ baseUrl, key: client });
        const errorOf = (body: () => unknown) => {
          try {
            return body();
          } catch (error) {
            return String(error);
          }
        };
        const { name } = await members.get('alice');
        const { requestId } = await members.get('alice').raw();
        const code = await members.get('NOBODY').catch((error: { code: string }) => error.code);
        const secrets = [Attribution, PublicAttribution].map((each) =>
          errorOf(() => new each({ baseUrl, key: backend })),
        );
        return { name, requestId, code, secrets };
      },
      { baseUrl: service().url, backend, client },
    );
    expect(seen).toEqual({
      name: 'Alice',
      requestId: expect.stringMatching(/./),
      code: 'CodeNotInGroup',
      secrets: [
        'TypeError: A secret key must not be used in a browser. Revoke it, and use a public key.',
        'TypeError: This client needs a public key (svc_pk_…).',
      ],
    });
  } finally {
    await browser.close();
  }
});
