/** Reason why a request was rejected. The meaning of a code never changes, but later versions may add codes. */
export type WebhookVerificationCode =
  | 'BodyTooLarge'
  | 'InvalidBody'
  | 'MissingSignature'
  | 'TooManySignatures'
  | 'MissingTimestamp'
  | 'InvalidTimestamp'
  | 'StaleTimestamp'
  | 'InvalidSignature'
  | 'IdMismatch';

/** Error for a request that must not be processed. The message says what to do and is meant for the receiver's log. */
export class WebhookVerificationError extends Error {
  readonly code: WebhookVerificationCode;

  constructor(code: WebhookVerificationCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'WebhookVerificationError';
    this.code = code;
  }
}
