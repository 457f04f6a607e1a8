import { SealError, type Sealer } from '../../../platform/secrets/sealer.ts';
import { secretsInUse } from '../../endpoints/secrets.ts';
import type { DeliveryOptions } from '../delivery-options.ts';
import type { TakenDelivery } from '../take/take-deliveries.ts';
import type { Attempt, StartedRequest } from './send-request.ts';
import { type SigningSecrets, signatureHeaders, toBody } from './signature.ts';
import { traceAttempt } from './trace-attempt.ts';

/**
 * Signs and sends a delivery. If a secret can't be opened, only this attempt fails, because a later one may have the
 * key.
 * @param onEnded called exactly once, possibly before this function returns
 * @returns the request, so that the caller can cancel it; null if no request was sent
 */
export function startAttempt(
  { sender, sealer, clock }: Pick<DeliveryOptions, 'sender' | 'sealer' | 'clock'>,
  delivery: TakenDelivery,
  onEnded: (attempt: Attempt) => void,
): StartedRequest | null {
  const sentAt = clock.now();
  const body = toBody(delivery);
  let headers: Record<string, string>;
  try {
    headers = signatureHeaders(delivery, body, secretsOf(delivery, sealer, sentAt), sentAt);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    onEnded({
      startedAt: sentAt,
      durationMs: 0,
      statusCode: null,
      error: error.message,
      answer: Buffer.alloc(0),
      retryAfterMs: null,
    });
    return null;
  }
  const trace = traceAttempt(delivery);
  const { url } = delivery.endpoint;
  if (trace === null) return sender.start({ url, headers, body }, onEnded);
  return sender.start({ url, headers: { ...headers, ...trace.headers }, body }, (attempt) => {
    trace.end(attempt);
    onEnded(attempt);
  });
}

/**
 * Returns the secrets in use. Opens them once per take, except during a rotation, which may end in between.
 * @throws SealError when the secrets can't be opened
 */
function secretsOf(
  { publisherId, endpointId, endpoint }: TakenDelivery,
  sealer: Sealer,
  now: Date,
): SigningSecrets {
  if (endpoint.rotation_started_at !== null)
    return secretsInUse({ publisherId, endpointId, ...endpoint }, sealer, now);
  endpoint.opened ??= secretsInUse({ publisherId, endpointId, ...endpoint }, sealer, now);
  return endpoint.opened;
}
