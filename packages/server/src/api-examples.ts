import { pingExamples } from './api-keys/examples.ts';
import { transactionExamples } from './attributions/examples.ts';
import { bountyExamples } from './bounties/examples.ts';
import { linkingExamples } from './linking/examples.ts';
import { memberExamples } from './members/examples.ts';
import type { Examples } from './platform/http/reference/add-examples.ts';
import { groupExamples } from './publishers/examples.ts';
import { scheduleExamples } from './revenue-shares/schedule-examples.ts';
import { tierExamples } from './revenue-shares/tier-examples.ts';

/** What the document of the API shows of each operation, by slice. */
export const examples: Examples = {
  ...pingExamples,
  ...groupExamples,
  ...memberExamples,
  ...tierExamples,
  ...scheduleExamples,
  ...transactionExamples,
  ...linkingExamples,
  ...bountyExamples,
};
