import type { CreatorOutcome } from '../../../client/types.gen.ts';

/** Outcome of one creator. A creator from a list may have no id, and is shown by the name as typed. */
export type ShownOutcome = Omit<CreatorOutcome, 'memberId'> & {
  memberId: string | null;
  typedName?: string | null;
};
