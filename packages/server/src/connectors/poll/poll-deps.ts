import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import type { ReportReader } from './fetch-report.ts';

export interface PollDeps {
  db: Db;
  sealer: Sealer;
  clock: Clock;
  reports: ReportReader;
  /** Called with the result of each poll. */
  onPolled(outcome: 'read' | 'failed'): void;
}
