import { readSecrets } from './signatures.ts';
import { type WebhookVerificationCode, WebhookVerificationError } from './verification-error.ts';
import { maxBodyBytes, type VerifyOptions, verifyWebhook, type WebhookHeaders } from './verify-webhook.ts';
import type { WebhookEvent } from './webhook-event.ts';

/**
 * Event handler. The response waits for the handler: 200 when the handler resolves, and 500 if it throws.
 * After a 500, the service sends the event again. The service waits 15 seconds, so only save the event here
 * (to a database or a queue) and process it later.
 */
export type HandleWebhook = (webhook: WebhookEvent) => unknown;

export interface HandlerOptions extends VerifyOptions {
  /**
   * Function that receives the handler's error, which the response does not include. Default:
   * `console.error`.
   */
  readonly onError?: (error: unknown) => void;
}

export interface Answer {
  readonly status: 200 | 400 | 403 | 405 | 413 | 500;
  /** Code or short text; never an error from the handler. */
  readonly text: string;
}

export const tooLarge: Answer = { status: 413, text: 'BodyTooLarge' };
export const wrongMethod: Answer = { status: 405, text: 'MethodNotAllowed' };
const failed: Answer = { status: 500, text: 'Failed' };

/** Code shared by the adapters. Each adapter reads the body and sends the response as its framework requires. */
export interface Receiver {
  answer(rawBody: string | Uint8Array, headers: WebhookHeaders): Promise<Answer>;
  /** Reports an error in the receiver itself and returns the response to send. */
  fail(error: unknown): Answer;
}

/** Creates a receiver. @throws TypeError if the secret is invalid */
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
      // The response must be sent even if reporting the error fails.
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

/** Reads a body. @returns null if the body exceeds the limit; the rest is left unread */
export async function readBody(chunks: AsyncIterable<string | Uint8Array>): Promise<Uint8Array | null> {
  // Leaving a `for await` early would destroy node:http's stream along with the response.
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
