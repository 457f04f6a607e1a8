import type { eventReasons } from '../events/event-record.ts';

type Reasons = typeof eventReasons;

/** Result of an event, with what a person needs to know about it. */
export type Outcome =
  | { status: 'Done'; reason: Reasons['Done'][number]; transactionId: string; message?: string }
  | { status: 'Ignored'; reason: Reasons['Ignored'][number]; message?: string; missingCode?: string }
  | { status: 'Failed'; reason: Reasons['Failed'][number]; message: string }
  | { status: 'Waiting'; reason: Exclude<Reasons['Waiting'][number], 'New'>; message?: string };
