import { pingExamples } from './api-keys/examples.ts';
import { transactionExamples } from './attributions/examples.ts';
import { bountyExamples } from './bounties/examples.ts';
import { connectorExamples } from './connectors/examples.ts';
import { describedEvents } from './described-events.ts';
import { linkingExamples } from './linking/examples.ts';
import { memberExamples } from './members/examples.ts';
import type { Examples } from './platform/http/reference/add-examples.ts';
import { playerCodeExamples } from './player-codes/examples.ts';
import { groupExamples } from './publishers/examples.ts';
import { scheduleExamples } from './revenue-shares/schedules/schedule-examples.ts';
import { tierExamples } from './revenue-shares/tiers/tier-examples.ts';
import { refundExamples } from './settlement/refunds/examples.ts';
import { reinstatementExamples } from './settlement/reinstatements/examples.ts';
import { describeWebhook } from './webhooks/describe-webhook.ts';

export const examples: Examples = {
  ...pingExamples,
  ...groupExamples,
  ...memberExamples,
  ...tierExamples,
  ...scheduleExamples,
  ...transactionExamples,
  ...refundExamples,
  ...reinstatementExamples,
  ...playerCodeExamples,
  ...connectorExamples,
  ...linkingExamples,
  ...bountyExamples,
};

export const webhooks = Object.fromEntries(describedEvents.map(describeWebhook));
