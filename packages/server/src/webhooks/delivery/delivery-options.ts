import type { Clock } from '../../platform/clock.ts';
import type { NamedStatements } from '../../platform/database/connections/named-statements.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import type { Sender } from './send/send-request.ts';

export interface DeliveryOptions {
  db: Db;
  statements: NamedStatements;
  sender: Sender;
  sealer: Sealer;
  clock: Clock;
  /** True if publishers are spread over several nodes (`hasCitus`). */
  isSpread: boolean;
  intervalMs: number;
  /**
   * Maximum number of deliveries that this process holds, not counting hanging ones, of which there may be twice as
   * many.
   */
  maxTaken: number;
  /** Minimum time before a request is canceled because too many are hanging. Defaults to 5 s. */
  minPatienceMs?: number;
  /** Time allowed for requests in progress when the worker stops. Defaults to 3 s. */
  patienceAtStopMs?: number;
  /**
   * Called after each attempt.
   * @param secondsSinceEvent age of the event if this was its first attempt and succeeded; otherwise null
   */
  onAttempt(isDelivered: boolean, secondsSinceEvent: number | null): void;
  onSwitchedOff(): void;
  onError(error: unknown): void;
}
