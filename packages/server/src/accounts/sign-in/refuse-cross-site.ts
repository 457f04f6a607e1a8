import { Refusal } from '../../platform/refusal.ts';
import { noPublicOrigin, publicOrigin } from './public-origin.ts';

/** Parts of a request that show which page sent it. */
export interface RequestHead {
  method: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Content types that a form on any site can send without a preflight. */
const formTypes = /^(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i;

/**
 * Rejects a change that another site may have made a browser send to the admin API (CSRF). Requests that have an
 * operator token and no cookies are exempt from the origin check.
 * @throws Refusal Forbidden, InvalidInput for a form
 */
export function refuseCrossSite(publicUrl: string | null, request: RequestHead): void {
  const { method, headers } = request;
  if (safeMethods.has(method)) return;
  refuseForm(request);
  if (headers.cookie === undefined && headers.authorization !== undefined) return;
  const expected = publicOrigin(publicUrl, headers.host as string | undefined);
  if (expected === null) throw new Refusal('Forbidden', noPublicOrigin);
  requireOrigin(request, expected, 'dashboard');
}

/**
 * Rejects a change that doesn't come from a page on our own origin. @throws Refusal Forbidden, InvalidInput for a form
 */
export function refuseOtherOrigin(expected: string, page: string, request: RequestHead): void {
  if (safeMethods.has(request.method)) return;
  refuseForm(request);
  requireOrigin(request, expected, page);
}

function refuseForm({ headers }: RequestHead): void {
  if (formTypes.test(String(headers['content-type'] ?? '')))
    throw new Refusal(
      'InvalidInput',
      'This operation requires JSON. Set the Content-Type header to application/json.',
    );
}

function requireOrigin({ headers }: RequestHead, expected: string, page: string): void {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  const isOurs =
    (site === undefined || site === 'same-origin') &&
    (origin === undefined || origin === expected) &&
    (site !== undefined || origin !== undefined);
  if (!isOurs)
    throw new Refusal(
      'Forbidden',
      `The request didn't come from a page on ${expected}. Open the ${page} there.`,
    );
}
