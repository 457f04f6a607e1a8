import type { RequestSource } from '../../audit/actor.ts';
import type { SignedInPerson } from '../require-staff.ts';
import type { Caller } from '../sign-in/call-library.ts';

/** Signed-in person acting on their own account. */
export interface Self extends SignedInPerson {
  /** Browser for which the sign-in library is called. */
  readonly browser: Caller;
  readonly source: RequestSource;
}
