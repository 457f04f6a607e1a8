import { readSecrets } from './signatures.ts';
import { type WebhookVerificationCode, WebhookVerificationError } from './verification-error.ts';
import { maxBodyBytes, type VerifyOptions, verifyWebhook, type WebhookHeaders } from './verify-webhook.ts';
import type { WebhookEvent } from './webhook-event.ts';

/**
 * What the receiver does with an event. The answer waits for it: 200 when it is done, 500 when it throws, and
 * the service then sends the event again. The service waits 15 seconds, so only note the event down here
 * (in a database, in a queue), and do the work later.
 */
export type HandleWebhook = (webhook: WebhookEvent) => unknown;

export interface HandlerOptions extends VerifyOptions {
  /** Gets what the handler threw, which the answer does not show; `console.error` when absent. */
  readonly onError?: (error: unknown) => void;
}

export interface Answer {
  readonly status: 200 | 400 | 403 | 405 | 413 | 500;
  /** Nothing that the receiver threw: a code at most. */
  readonly text: string;
}

export const tooLarge: Answer = { status: 413, text: 'BodyTooLarge' };
export const wrongMethod: Answer = { status: 405, text: 'MethodNotAllowed' };
const failed: Answer = { status: 500, text: 'Failed' };

/** What the adapters share: they read the body and write the answer, each in its framework's way. */
export interface Receiver {
  answer(rawBody: string | Uint8Array, headers: WebhookHeaders): Promise<Answer>;
  /** The answer where the receiver itself is at fault. */
  fail(error: unknown): Answer;
}

/** @throws TypeError when the secret cannot be right */
export function createReceiver(
  secret: string | readonly string[],
  handle: HandleWebhook,
  { onError = (error) => console.error(error), ...options }: HandlerOptions = {},
): Receiver {
  const secrets = readSecrets(secret);
  const fail = (error: unknown): Answer => {
    try {
      onError(error);
    } catch {
      // A report that fails must not cost the answer.
    }
    return failed;
  };
  return {
    fail,
    async answer(rawBody, headers) {
      let webhook: WebhookEvent;
      try {
        webhook = await verifyWebhook(rawBody, headers, secrets, options);
      } catch (error) {
        return error instanceof WebhookVerificationError ? refused(error.code) : fail(error);
      }
      try {
        await handle(webhook);
      } catch (error) {
        return fail(error);
      }
      return { status: 200, text: 'OK' };
    },
  };
}

/** Reads a body to its end, or to one byte too many: then the answer is null, and the rest is left unread. */
export async function readBody(chunks: AsyncIterable<string | Uint8Array>): Promise<Uint8Array | null> {
  // Not `for await`: leaving that early destroys a stream of node:http, and the answer with it.
  const iterator = chunks[Symbol.asyncIterator]();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    const part = typeof next.value === 'string' ? new TextEncoder().encode(next.value) : next.value;
    length += part.length;
    if (length > maxBodyBytes) return null;
    parts.push(part);
  }
  const body = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    body.set(part, at);
    at += part.length;
  }
  return body;
}

function refused(code: WebhookVerificationCode): Answer {
  if (code === 'BodyTooLarge') return tooLarge;
  return { status: code === 'InvalidBody' ? 400 : 403, text: code };
}
