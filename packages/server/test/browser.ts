import type { Answer, TestService } from './test-service.ts';

/** Client that handles cookies and sends headers as a browser does when a person signs in. */
export class Browser {
  readonly #service: TestService;
  readonly #cookies = new Map<string, string>();
  readonly #from: Record<string, string>;
  readonly #base: string;
  readonly #origin: string;

  /**
   * @param address client address, for a service that trusts its proxy (`TRUST_PROXY`)
   * @param api API to call, and the origin of its pages
   */
  constructor(
    service: TestService,
    address?: string,
    { base, origin }: { base: string; origin: string } = { base: '/admin/v1', origin: service.url },
  ) {
    this.#service = service;
    this.#from = address === undefined ? {} : { 'x-forwarded-for': address };
    this.#base = base;
    this.#origin = origin;
  }

  get cookies(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  get(path: string): Promise<Answer> {
    return this.send('GET', path);
  }

  post(path: string, json?: unknown): Promise<Answer> {
    return this.send('POST', path, json);
  }

  /** Follows a link to the service. @returns the redirect's target */
  async go(path: string): Promise<string | null> {
    const answer = await fetch(this.#service.url + path, {
      redirect: 'manual',
      headers: { ...this.#from, cookie: this.cookies },
    });
    for (const line of answer.headers.getSetCookie()) this.#keep(line);
    return answer.headers.get('location');
  }

  /** @param path path under the API's base, or a full path */
  async send(
    method: string,
    path: string,
    json?: unknown,
    headers: Record<string, string> = { origin: this.#origin, 'sec-fetch-site': 'same-origin' },
  ): Promise<Answer> {
    const url = /^\/(admin|portal)\//.test(path) ? path : this.#base + path;
    const answer = await this.#service.call(method, url, {
      key: null,
      headers: { ...this.#from, ...headers, ...(this.#cookies.size > 0 && { cookie: this.cookies }) },
      ...(json !== undefined && { json }),
    });
    for (const line of answer.headers.getSetCookie()) this.#keep(line);
    return answer;
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';');
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    const isGone = value === '' || attributes.some((each) => /^\s*max-age=0$/i.test(each));
    if (isGone) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}
