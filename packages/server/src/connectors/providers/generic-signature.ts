import type { SignatureProblem } from '../provider.ts';
import type { GenericFields } from './generic-fields.ts';
import { hmacSha256, matchesAny, problemOfTime, readPairs, secondsOf, sha1Suffix } from './signatures.ts';

interface Signed {
  body: Buffer;
  headers: Readonly<Record<string, string>>;
  secrets: readonly string[];
  now: Date;
}

/** Verifies a signature as the settings describe it: of the body alone, or of a time and the body. */
export function verifyGeneric(
  { body, headers, secrets, now }: Signed,
  fields: GenericFields,
): SignatureProblem | null {
  if (secrets.length === 0) return 'NoSecret';
  const header = headers[fields.header.toLowerCase()];
  if (header === undefined || header === '') return 'NoSignature';
  const { signatures, seconds } = readHeader(header, headers, fields);
  if (signatures.length === 0) return 'NoSignature';
  if (isTimed(fields)) {
    const late = problemOfTime(seconds ?? '', now);
    if (late !== null) return late;
  }
  const expected = secrets.map((secret) => digestOf(body, secret, seconds ?? '', fields));
  return matchesAny(signatures, expected, encodingOf(fields)) ? null : 'WrongSignature';
}

/** Signs a body as the settings describe it. */
export function signGeneric(
  body: Buffer,
  secret: string,
  now: Date,
  fields: GenericFields,
): Record<string, string> {
  const seconds = secondsOf(now);
  const signature = digestOf(body, secret, seconds, fields).toString(encodingOf(fields));
  const name = fields.header.toLowerCase();
  if (!isTimed(fields)) return { [name]: signature };
  return fields.timeHeader === undefined
    ? { [name]: `t=${seconds},v1=${signature}` }
    : { [name]: signature, [fields.timeHeader.toLowerCase()]: seconds };
}

const isTimed = ({ signed }: GenericFields): boolean => signed.includes('{t}');

const encodingOf = ({ encoding }: GenericFields): 'hex' | 'base64' => encoding as 'hex' | 'base64';

/** Reads the signatures, and the time from its own header or from `t=…,v1=…`. A prefix such as `sha256=` is skipped. */
function readHeader(
  header: string,
  headers: Signed['headers'],
  fields: GenericFields,
): { signatures: string[]; seconds: string | undefined } {
  if (isTimed(fields) && fields.timeHeader === undefined) {
    const pairs = readPairs(header, ',');
    return {
      signatures: pairs.filter(({ name }) => name === 'v1').map(({ value }) => value),
      seconds: pairs.find(({ name }) => name === 't')?.value,
    };
  }
  return {
    signatures: [
      header
        .trim()
        .replace(/^(sha256|sha1)=/i, '')
        .replace(/^Signature /i, ''),
    ],
    seconds: fields.timeHeader === undefined ? undefined : headers[fields.timeHeader.toLowerCase()],
  };
}

function digestOf(
  body: Buffer,
  secret: string,
  seconds: string,
  { algorithm, signed }: GenericFields,
): Buffer {
  const [before = '', after = ''] = signed.split('{body}', 2).map((part) => part.replaceAll('{t}', seconds));
  const bytes = Buffer.concat([Buffer.from(before), body, Buffer.from(after)]);
  return algorithm === 'sha1-suffix' ? sha1Suffix(secret, bytes) : hmacSha256(secret, bytes);
}
