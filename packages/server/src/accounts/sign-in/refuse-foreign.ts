import { Refusal } from '../../platform/refusal.ts';
import { noPublicOrigin, publicOrigin } from './public-origin.ts';

/** What of a request says which page sent it. */
export interface Sender {
  method: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** What a form of any page may send without asking. */
const ofForms = /^(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i;

/**
 * Refuses a change that a page of somebody else may have had a browser send: it must come from our own page, and be no
 * form. Programs with a token send no cookie, and are asked for none of it.
 * @throws Refusal Forbidden, InvalidInput for a form
 */
export function refuseForeign(publicUrl: string | null, { method, headers }: Sender): void {
  if (reading.has(method)) return;
  if (ofForms.test(String(headers['content-type'] ?? '')))
    throw new Refusal(
      'InvalidInput',
      'This operation reads JSON; send the header Content-Type: application/json.',
    );
  if (headers.cookie === undefined && headers.authorization !== undefined) return;
  const expected = publicOrigin(publicUrl, headers.host as string | undefined);
  if (expected === null) throw new Refusal('Forbidden', noPublicOrigin);
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  const isOurs =
    (site === undefined || site === 'same-origin') &&
    (origin === undefined || origin === expected) &&
    (site !== undefined || origin !== undefined);
  if (!isOurs)
    throw new Refusal('Forbidden', `This was not sent by a page of ${expected}; open the dashboard there.`);
}
