import type { Origin } from '../attributions/transaction-schema.ts';
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
  /** Origin of the purchases that it reports. */
  origin: Origin;
  /**
   * Reads the events of a body.
   * @throws Unreadable
   */
  read(body: unknown, settings: ConnectorSettings): readonly ReadEvent[];
  fixtures: readonly Fixture[];
}

/** Provider that sends events to the connector's address. */
export interface WebhookProvider extends Provider {
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
  /** Returns the answer to a request without a valid signature, in the form that the provider expects. */
  refused(problem: SignatureProblem): HookAnswer;
}

/** Provider that sends nothing. Its report of orders is read with a key. */
export interface PolledProvider extends Provider {
  /** Name of the secret, for the screens: the key that the provider's report is read with. */
  secretName: string;
  /** Settings without which the report can't be read. */
  requiredSettings: readonly RequiredSetting[];
  /** Returns the request for a page of the report: the orders that changed since a time, the oldest change first. */
  pageRequest(settings: ConnectorSettings, page: { key: string; since: Date; size: number }): ReportRequest;
  /**
   * Reads a page of the report. Orders that weren't paid are left out.
   * @throws Unreadable, whose message tells the publisher what to do
   */
  readPage(body: unknown): ReportPage;
}

export interface RequiredSetting {
  name: keyof ConnectorSettings;
  label: string;
  description: string;
  /** Regular expression that a value matches. */
  pattern: string;
}

export interface ReportRequest {
  /** Path and query at the provider's origin. */
  path: string;
  headers: Record<string, string>;
}

export interface ReportPage {
  /** Number of orders in the page, including those that are left out. */
  count: number;
  /** Times of the latest changes of all orders, in the page's order. */
  changedAt: readonly Date[];
  /** Paid orders, each of which is a body to read. */
  orders: readonly unknown[];
}

/** Error for a body that can't be read. The message names the field, not its value. */
export class Unreadable extends Error {}

/** Time by which the clocks of a provider and the service may differ. */
export const toleranceMs = 300_000;

/** Answer to a wrong signature. The provider sends the event again, so a mistyped secret loses no event. */
export const forbidden: HookAnswer = {
  status: 403,
  body: JSON.stringify({ code: 'Forbidden', message: 'The signature is not valid for this connector.' }),
};
