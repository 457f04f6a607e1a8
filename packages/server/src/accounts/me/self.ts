import type { RequestSource } from '../../audit/actor.ts';
import type { SignedInPerson } from '../require-staff.ts';
import type { Caller } from '../sign-in/call-library.ts';

/** Signed-in person who acts on their own account. */
export interface Self extends SignedInPerson {
  /** Browser of the request, on whose behalf the sign-in library is called. */
  readonly browser: Caller;
  readonly source: RequestSource;
}
