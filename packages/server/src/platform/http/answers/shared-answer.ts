import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { unavailable } from '../../refusal.ts';
import { FairShares } from '../../work/fair-shares.ts';

declare module 'fastify' {
  interface FastifyReply {
    /**
     * True if all responses share the body's buffer, in which case slow clients don't use additional memory.
     */
    hasSharedBody: boolean;
  }
}

export interface Forms {
  etag: string;
  identity: Buffer;
  gzip: Buffer;
  br: Buffer;
}

export type SharedAnswer = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * Creates a handler that sends shared content. The content is loaded, and compressed off the event loop, on the first
 * request.
 * @param headers at least content type and caching
 */
export function sharedAnswer(
  headers: Readonly<Record<string, string>>,
  load: () => Promise<string> | string,
): SharedAnswer {
  return answerForms(headers, () => prepare(load));
}

export function answerForms(
  headers: Readonly<Record<string, string>>,
  load: () => Promise<Forms>,
): SharedAnswer {
  let forms: Promise<Forms> | null = null;
  return async (request, reply) => {
    forms ??= load();
    forms.catch(() => {
      forms = null; // so that the next request tries again
    });
    const { etag, ...bodies } = await forms;
    const allHeaders = { ...headers, etag, vary: 'accept-encoding' };
    if (matches(request.headers['if-none-match'], etag)) return reply.headers(allHeaders).code(304).send();
    const encoding = bestEncoding(String(request.headers['accept-encoding'] ?? ''));
    const body = bodies[encoding];
    const isLarge = body.length >= largeBytes && request.method !== 'HEAD';
    if (isLarge) takePlace(request, reply);
    reply.headers(allHeaders).header('content-length', String(body.length));
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    reply.hasSharedBody = true;
    return reply.send(isLarge ? Readable.from(piecesOf(body)) : body);
  };
}

/**
 * Bodies of this size or larger are sent in chunks. Sending them all at once would block the process while the
 * operating system copies them.
 */
const largeBytes = 256 * 1024;
const pieceBytes = 64 * 1024;
/**
 * Maximum number of concurrent large responses, shared among addresses. The operating system buffers several
 * megabytes for each slow client.
 */
const places = new FairShares(50);

function takePlace({ ip }: FastifyRequest, { raw }: FastifyReply): void {
  // A response queued behind another response on its connection has no socket yet, so its end would go
  // unnoticed.
  if (raw.socket === null || !places.take(ip, 1)) {
    throw unavailable('Too many clients are loading this at once. Try again.');
  }
  raw.once('close', () => places.giveBack(ip, 1));
}

function* piecesOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += pieceBytes) yield body.subarray(at, at + pieceBytes);
}

async function prepare(load: () => Promise<string> | string): Promise<Forms> {
  const identity = Buffer.from(await load());
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
  const [zipped, br] = await Promise.all([
    promisify(gzip)(identity),
    promisify(brotliCompress)(identity, quality),
  ]);
  return { etag: etagOf(identity), identity, gzip: zipped, br };
}

/** Returns a weak ETag, which is the same for all encodings of the content. */
export const etagOf = (identity: Buffer): string =>
  `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;

const matches = (sent: string | undefined, etag: string): boolean =>
  sent?.split(',').some((each) => [etag, '*'].includes(each.trim())) === true;

function bestEncoding(accepted: string): 'br' | 'gzip' | 'identity' {
  const names = accepted
    .toLowerCase()
    .split(',')
    .filter((each) => !/;\s*q=0(\.0*)?\s*$/.test(each))
    .map((each) => each.split(';')[0]?.trim());
  return names.includes('br') ? 'br' : names.includes('gzip') ? 'gzip' : 'identity';
}
