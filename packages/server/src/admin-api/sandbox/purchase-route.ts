import { Type } from 'typebox';
import { staffOf } from '../../accounts/require-staff.ts';
import { readEntry } from '../../attributions/record/read-entry.ts';
import type { Service } from '../../composition.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { currency, text } from '../../platform/http/schemas/schemas.ts';
import { newPublicId } from '../../platform/ids.ts';
import { closed, inputGroupId } from '../../platform/inputs.ts';
import { Refusal } from '../../platform/refusal.ts';
import { nowAt } from '../../publishers/publisher-time.ts';
import { resolveGroup } from '../../publishers/resolve-group.ts';
import { adminErrors, publisherPath, time } from '../schemas.ts';
import { sandboxTags } from './sandbox-schemas.ts';

/** Records as a publisher's back end does, by the very same queue, so that one can rehearse without having one. */
export function purchaseRoute(app: App, { clock, database: { db }, programs, recordQueue }: Service): void {
  app.post(
    '/publishers/:publisherId/sandbox/purchases',
    {
      config: { staff: 'program' },
      schema: {
        operationId: 'recordSandboxPurchase',
        summary: 'Record a purchase in a sandbox',
        description:
          'Made at what the clock of the sandbox says. Live purchases come from the publisher’s back end.',
        tags: sandboxTags,
        params: publisherPath,
        body: Type.Object(
          {
            code: text(255, 'Creator code to credit, in any case.'),
            subtotalMinor: Type.String({
              pattern: '^[1-9][0-9]{0,15}$',
              description: 'In minor units of the currency.',
            }),
            currency: currency('Of the subtotal.'),
            groupId: Type.Optional(inputGroupId),
          },
          { ...closed, title: 'SandboxPurchase' },
        ),
        response: {
          200: Type.Object(
            {
              transactionId: Type.String(),
              transactionDate: time('When it was made, by the clock of the sandbox.'),
            },
            { title: 'RecordedSandboxPurchase' },
          ),
          ...adminErrors,
        },
      },
    },
    async (request, reply) => {
      const { publisherId } = request.params;
      const { code, subtotalMinor, groupId, ...bought } = request.body;
      if (!staffOf(request).isSandbox)
        throw new Refusal(
          'Conflict',
          'Here purchases come from your back end. Copy this publisher to a sandbox, and record them there.',
        );
      const group = await resolveGroup(programs, publisherId, null, groupId);
      const transactionId = `sandbox-${newPublicId()}`;
      const transactionDate = (await nowAt(db, clock, publisherId)).toISOString();
      const entry = {
        code,
        ...bought,
        subtotal: Number(subtotalMinor),
        description: 'A rehearsal',
        transactionId,
        transactionDate,
      };
      await recordQueue.record(publisherId, group.groupId, [readEntry(entry, [], true)]);
      return sendJson(reply, { transactionId, transactionDate });
    },
  );
}
