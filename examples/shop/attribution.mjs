// What a shop's back end does with the service, whatever its framework: credit orders, report refunds, receive events.
import { Attribution, CodeNotInGroup, money, NotFound } from '@creator-attribution/client';

const { ATTRIBUTION_URL = '', ATTRIBUTION_KEY = '' } = process.env;
/** Created once, and used for all requests. It retries by itself. */
const { transactions } = new Attribution({ baseUrl: ATTRIBUTION_URL, key: ATTRIBUTION_KEY });

/**
 * Credits an order to the creator whose code the buyer entered. Call it when the order is paid. If it throws, call it
 * again later: an order is recorded once.
 * @param order `price` is what the buyer paid without tax, as text such as `9.99`
 * @returns the creator's code; null if the order credits no creator
 */
export async function recordOrder({ id, code, title, price, currency, paidAt, playerId }) {
  if (!code) return null;
  try {
    const { rows } = await transactions.record({
      transactionId: id,
      code,
      description: title,
      subtotal: money(price, currency),
      transactionDate: paidAt,
      playerId,
    });
    return rows[0]?.code ?? null;
  } catch (error) {
    if (error instanceof CodeNotInGroup) return null; // the sale stands
    throw failed(`Order ${id} wasn't recorded`, error);
  }
}

/**
 * Takes back the creator's part of a refund. If it throws, call it again later: a `refundId` counts once.
 * @param refund `amount` is what the buyer got back without tax; absent for everything that is left
 * @returns false if the order had credited no creator
 */
export async function refundOrder({ orderId, refundId, amount, currency }) {
  try {
    await transactions.refund(orderId, {
      refundId,
      ...(amount !== undefined && { amount: money(amount, currency) }),
    });
    return true;
  } catch (error) {
    if (error instanceof NotFound) return false;
    throw failed(`Refund ${refundId} wasn't reported`, error);
  }
}

/** Wraps an error of the service, because Express and Fastify would answer with its status. */
const failed = (what, cause) => new Error(`${what}. Try again later.`, { cause });

// An event can arrive twice. This set forgets the oldest events, and all of them when the process ends; a real
// receiver records processed events in its database, in the transaction that processes them.
const maxSeen = 1_000;
const seen = new Set();

/** Handles a verified webhook. Put slow work into a queue: the service waits 15 seconds for the response. */
export async function onWebhook(webhook) {
  if (seen.has(webhook.eventId)) return;
  seen.add(webhook.eventId);
  if (seen.size > maxSeen) seen.delete(seen.values().next().value);
  console.log(`${webhook.eventType}/${webhook.eventAction} ${webhook.eventId}`);
}
