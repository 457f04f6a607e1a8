import type { ImmediateSubject } from '../subjects.ts';

export interface StoredIncident {
  incidentId: string;
  subject: ImmediateSubject;
  target: string;
  name: string;
  beganAt: Date;
  endedAt: Date | null;
}

/** One incident to report. */
export interface Report {
  /** Subject of an email about this incident alone. */
  headline: string;
  text: string;
  /** Dashboard screen. */
  path: string;
  label: string;
}
