import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { unavailable } from '../../refusal.ts';
import { FairShares } from '../../work/fair-shares.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** True when all answers of its kind share the body: a slow reader costs no memory. */
    hasSharedBody: boolean;
  }
}

/** One content, as it is and compressed. */
export interface Forms {
  etag: string;
  identity: Buffer;
  gzip: Buffer;
  br: Buffer;
}

/** Answers with what `load` gives, which is the same for everybody and for the life of the process. */
export type SharedAnswer = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * One buffer that all answers are sent from: loaded and compressed for the first who asks, off the event loop.
 * @param headers content type and caching, at least
 */
export function sharedAnswer(
  headers: Readonly<Record<string, string>>,
  load: () => Promise<string> | string,
): SharedAnswer {
  return answerForms(headers, () => prepare(load));
}

/** Answers with a body that was compressed before. */
export function answerForms(
  headers: Readonly<Record<string, string>>,
  load: () => Promise<Forms>,
): SharedAnswer {
  let forms: Promise<Forms> | null = null;
  return async (request, reply) => {
    forms ??= load();
    forms.catch(() => {
      forms = null; // the next one may have more luck
    });
    const { etag, ...bodies } = await forms;
    const said = { ...headers, etag, vary: 'accept-encoding' };
    if (knows(request.headers['if-none-match'], etag)) return reply.headers(said).code(304).send();
    const encoding = bestEncoding(String(request.headers['accept-encoding'] ?? ''));
    const body = bodies[encoding];
    const isLarge = body.length >= largeBytes && request.method !== 'HEAD';
    if (isLarge) takePlace(request, reply);
    reply.headers(said).header('content-length', String(body.length));
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    reply.hasSharedBody = true;
    return reply.send(isLarge ? Readable.from(piecesOf(body)) : body);
  };
}

/** Written at once it would keep everybody waiting while the system copies it. */
const largeBytes = 256 * 1024;
const pieceBytes = 64 * 1024;
/** The system keeps some megabytes for each reader who does not read: so many, shared out among addresses. */
const places = new FairShares(50);

function takePlace({ ip }: FastifyRequest, { raw }: FastifyReply): void {
  // Behind another answer on its connection it has no socket yet, and would tell nobody that it ended.
  if (raw.socket === null || !places.take(ip, 1)) {
    throw unavailable('Too many read this at once; try again.');
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

/** Weak: the same content in whatever encoding. */
export const etagOf = (identity: Buffer): string =>
  `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;

const knows = (sent: string | undefined, etag: string): boolean =>
  sent?.split(',').some((each) => [etag, '*'].includes(each.trim())) === true;

function bestEncoding(accepted: string): 'br' | 'gzip' | 'identity' {
  const names = accepted
    .toLowerCase()
    .split(',')
    .filter((each) => !/;\s*q=0(\.0*)?\s*$/.test(each))
    .map((each) => each.split(';')[0]?.trim());
  return names.includes('br') ? 'br' : names.includes('gzip') ? 'gzip' : 'identity';
}
