import type { ReadEvent } from './movement.ts';
import type { ConnectorSettings } from './settings.ts';

/** Request of a provider: the bytes that were signed, and the headers by lower-case name. */
export interface SentRequest {
  body: Buffer;
  headers: Readonly<Record<string, string>>;
}

/** Reasons for which a request isn't accepted. */
export type SignatureProblem = 'NoSecret' | 'NoSignature' | 'WrongSignature' | 'TooOld' | 'FromTheFuture';

export interface HookAnswer {
  status: number;
  body: string | null;
}

/** Signed request, to try a connector. */
export interface Fixture {
  name: string;
  /** Returns the body, with a new order unless one is given. */
  body(of: FixtureOrder): unknown;
}

export interface FixtureOrder {
  orderId: string;
  code: string;
  playerId: string;
  now: Date;
}

/** Payment provider: functions without I/O, and fixtures. */
export interface Provider {
  id: string;
  name: string;
  /** Header that contains the signature, for the screens. */
  signatureHeader(settings: ConnectorSettings): string;
  /** Checks the signature of a request against each secret. Null if it is valid. */
  verify(
    request: SentRequest,
    secrets: readonly string[],
    now: Date,
    settings: ConnectorSettings,
  ): SignatureProblem | null;
  /** Returns the headers that sign a body, for tests of a connector. */
  sign(body: Buffer, secret: string, now: Date, settings: ConnectorSettings): Record<string, string>;
  /** Answers a request that is a question instead of an event; null for events. */
  handshake(body: unknown, settings: ConnectorSettings): HookAnswer | null;
  /** True if the provider asks a question before it sends events. */
  hasHandshake: boolean;
  /**
   * Reads the events of a body.
   * @throws Unreadable
   */
  read(body: unknown, settings: ConnectorSettings): readonly ReadEvent[];
  /** Returns the answer to a request without a valid signature, in the form that the provider expects. */
  refused(problem: SignatureProblem): HookAnswer;
  fixtures: readonly Fixture[];
}

/** Error for a body that can't be read. The message names the field, not its value. */
export class Unreadable extends Error {}

/** Time by which the clocks of a provider and the service may differ. */
export const toleranceMs = 300_000;

/** Answer to a wrong signature. A provider sends the event again, and our mistyped secret must not refund a buyer. */
export const forbidden: HookAnswer = {
  status: 403,
  body: JSON.stringify({ code: 'Forbidden', message: 'The signature is not valid for this connector.' }),
};
