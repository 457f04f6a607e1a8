import { pingExamples } from './api-keys/examples.ts';
import { transactionEvents } from './attributions/described-events.ts';
import { transactionExamples } from './attributions/examples.ts';
import { bountyEvents } from './bounties/described-events.ts';
import { bountyExamples } from './bounties/examples.ts';
import { linkingExamples } from './linking/examples.ts';
import { memberEvents } from './members/described-events.ts';
import { memberExamples } from './members/examples.ts';
import type { Examples } from './platform/http/reference/add-examples.ts';
import { groupExamples } from './publishers/examples.ts';
import { scheduleEvents } from './revenue-shares/schedules/described-events.ts';
import { scheduleExamples } from './revenue-shares/schedules/schedule-examples.ts';
import { tierExamples } from './revenue-shares/tiers/tier-examples.ts';
import { payoutEvents } from './settlement/payouts/described-events.ts';
import { describeWebhook } from './webhooks/describe-webhook.ts';
import { webhookEvents } from './webhooks/described-events.ts';

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

export const webhooks = Object.fromEntries(
  [
    ...memberEvents,
    ...bountyEvents,
    ...transactionEvents,
    ...payoutEvents,
    ...scheduleEvents,
    ...webhookEvents,
  ].map(describeWebhook),
);
