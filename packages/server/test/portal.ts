import { afterAll, expect } from 'vitest';
import { Browser } from './browser.ts';
import { type Linking, useLinking } from './linking.ts';
import { type SmtpSink, startSmtpSink } from './smtp-sink.ts';
import { type SignedInPerson, signIn } from './staff.ts';
import type { ServiceOptions, TestService } from './test-service.ts';

/** Origin of the portal's pages, which differs from the test service's own. */
export const portalOrigin = 'http://localhost:9090';
export const portalUrl = `${portalOrigin}/creators`;

/** Code and link in an email. */
export interface Mailed {
  to: string;
  code: string;
  /** URL with the secret behind the #; `about:blank` if the email has none. */
  link: URL;
  token: string;
  /** Email as it was sent, without soft line breaks. */
  text: string;
}

/** Functions for creators who use the portal, on a service with the fixtures and a real mail server. */
export interface PortalTest extends Linking {
  sink(): SmtpSink;
  /** Returns a new browser, by default with a client address of its own. */
  browser(address?: string): Browser;
  nextMail(): Promise<Mailed>;
  /** Signs in with an emailed code. */
  signedIn(email: string): Promise<Browser>;
  /** Signs in, and connects an account with an auth code. */
  creator(email: string, accountId: string): Promise<Browser>;
  /** Requests a code for the person's own data. @returns the emailed code */
  ownDataCode(browser: Browser, what: 'access-file' | 'erasure'): Promise<string>;
  /** Enters a code, so that the browser can download the person's file. */
  allowFile(browser: Browser): Promise<void>;
  owner(publisherId?: string): Promise<SignedInPerson>;
}

let addresses = 0;

export async function usePortal(options: ServiceOptions = {}): Promise<PortalTest> {
  const sink = await startSmtpSink();
  afterAll(() => sink.close());
  const environment = {
    PORTAL_URL: portalUrl,
    SMTP_URL: sink.url,
    TRUST_PROXY: '127.0.0.1',
    ...options.environment,
  };
  const linking = useLinking({ ...options, environment });
  const test: PortalTest = {
    ...linking,
    sink: () => sink,
    browser: (address) => portalBrowser(linking.service(), address, new URL(environment.PORTAL_URL).origin),
    nextMail: async () => mailedIn(await sink.next()),
    async signedIn(email) {
      const browser = test.browser();
      expect(await browser.post('/auth/codes', { email })).toMatchObject({ status: 200, body: {} });
      const { code } = await test.nextMail();
      expect(await browser.post('/auth/codes/enter', { code })).toMatchObject({
        status: 200,
        body: { email },
      });
      return browser;
    },
    async creator(email, accountId) {
      const browser = await test.signedIn(email);
      const authCode = await linking.authCode(accountId);
      expect(await browser.post('/claims', { authCode })).toMatchObject({ status: 200, body: { accountId } });
      return browser;
    },
    async ownDataCode(browser, what) {
      const asked = await browser.post(`/${what}/codes`, {});
      expect([asked.status, asked.body]).toEqual([200, { email: expect.any(String) }]);
      const { code, to } = await test.nextMail();
      expect(to).toBe(asked.body.email);
      return code;
    },
    async allowFile(browser) {
      const code = await test.ownDataCode(browser, 'access-file');
      const allowed = await browser.post('/access-file/codes/enter', { code });
      expect([allowed.status, allowed.body]).toEqual([200, { until: expect.any(String) }]);
    },
    owner: (publisherId = 'aurora') => signIn(linking.service(), 'owner', { publisherId }),
  };
  return test;
}

export function portalBrowser(
  service: TestService,
  address?: string,
  origin: string = portalOrigin,
): Browser {
  addresses += 1;
  const own = `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
  return new Browser(service, address ?? own, { base: '/portal/v1', origin });
}

/** Reads an email with a link or a code. */
export function mailedIn(mail: string): Mailed {
  const text = mail.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  const body = text.slice(text.indexOf('\r\n\r\n')); // a Message-ID may contain digits in the form of a code
  const link = new URL(/http:\S+#[\w.-]+/.exec(text)?.[0] ?? 'about:blank');
  return {
    to: /^To: (\S+)\r$/m.exec(text)?.[1] ?? '',
    code: /\b[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}\b/.exec(body)?.[0] ?? '',
    link,
    token: link.hash.slice(1),
    text,
  };
}
