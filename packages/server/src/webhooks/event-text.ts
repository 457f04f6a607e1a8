/** Value in an event's payload. `toEventText` rejects values that a JSON round trip may change. */
export type EventValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly EventValue[]
  | { readonly [key: string]: EventValue };

export type EventPayload = { readonly [key: string]: EventValue };

/**
 * Serializes a payload for sending and signing. A receiver that parses the JSON and serializes it again gets the same
 * bytes (docs/webhooks.md#verifying).
 * @throws Error for values that would not survive this round trip: keys that engines sort as numbers; numbers that are
 * not finite, are negative zero, exceed 2^53 − 1, or are so small that languages write them differently; and text that
 * is not well-formed Unicode. Such a value means a bug in the service, never a mistake by a client.
 */
export function toEventText(payload: EventPayload): string {
  requireStable(payload, 'event');
  return JSON.stringify(payload);
}

const integerLike = /^(0|[1-9]\d*)$/;
/** Smallest number that Python writes without an exponent. */
const smallestDecimal = 1e-4;

function requireStable(value: EventValue, place: string): void {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new Error(`${place} is not well-formed Unicode`);
  } else if (typeof value === 'number') {
    if (!isStable(value)) throw new Error(`${place} is a number that a JSON round trip may change: ${value}`);
  } else if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) requireStable(each, `${place}[${index}]`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value)) {
      if (integerLike.test(key) || !key.isWellFormed())
        throw new Error(`${place} has the key ${JSON.stringify(key)}, which a JSON round trip may move`);
      requireStable(each, `${place}.${key}`);
    }
  }
}

function isStable(value: number): boolean {
  if (Number.isInteger(value)) return Number.isSafeInteger(value) && !Object.is(value, -0);
  const size = Math.abs(value);
  return size >= smallestDecimal && size <= Number.MAX_SAFE_INTEGER; // false for NaN and infinity
}
