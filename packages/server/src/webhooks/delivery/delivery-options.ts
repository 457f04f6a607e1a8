import type { Clock } from '../../platform/clock.ts';
import type { NamedStatements } from '../../platform/database/connections/named-statements.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import type { Sender } from './send/send-request.ts';

/** What delivery works with; each of its loops says which of it it needs. */
export interface DeliveryOptions {
  db: Db;
  statements: NamedStatements;
  sender: Sender;
  sealer: Sealer;
  clock: Clock;
  /** Whether publishers lie on several nodes (`hasCitus`). */
  isSpread: boolean;
  /** Time between two looks for deliveries of its own, while there have been some lately. */
  intervalMs: number;
  /** Deliveries that this process has taken at once; beside them twice as many may hang. */
  maxTaken: number;
  /** When more hang than that, the longest ones end early, but none before this; 5 s when absent. */
  leastPatienceMs?: number;
  /** How long requests under way may take when it stops; 3 s when absent. */
  patienceAtStopMs?: number;
  /** @param secondsSinceEvent for a first attempt that delivered; null otherwise */
  onAttempt(isDelivered: boolean, secondsSinceEvent: number | null): void;
  onSwitchedOff(): void;
  onError(error: unknown): void;
}
