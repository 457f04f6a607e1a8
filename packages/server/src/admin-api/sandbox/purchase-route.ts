import { Type } from 'typebox';
import { staffOf } from '../../accounts/require-staff.ts';
import { readEntry } from '../../attributions/record/read-entry.ts';
import type { Service } from '../../composition.ts';
import type { App } from '../../platform/http/app-type.ts';
import { currency, text } from '../../platform/http/schemas/schemas.ts';
import { newPublicId } from '../../platform/ids.ts';
import { closed, inputGroupId } from '../../platform/inputs.ts';
import { Refusal } from '../../platform/refusal.ts';
import { nowAt } from '../../publishers/publisher-time.ts';
import { resolveGroup } from '../../publishers/resolve-group.ts';
import { adminOperations } from '../admin-operations.ts';
import { time } from '../schemas.ts';

/** Sandbox purchases go through the same record queue as purchases from a publisher's back end. */
export function purchaseRoute(app: App, { clock, database: { db }, programs, recordQueue }: Service): void {
  const { operation } = adminOperations(app, 'Sandbox');
  operation(
    ['post', '/publishers/:publisherId/sandbox/purchases', 'recordSandboxPurchase'],
    {
      may: 'program',
      summary: 'Record a purchase in a sandbox',
      description: 'Recorded at the sandbox clock’s time. Live purchases come from the publisher’s back end.',
      body: Type.Object(
        {
          code: text(255, 'Creator code to credit. Case-insensitive.'),
          subtotalMinor: Type.String({
            pattern: '^[1-9][0-9]{0,15}$',
            description: 'Subtotal in minor units of the currency.',
          }),
          currency: currency('Currency of the subtotal.'),
          groupId: Type.Optional(inputGroupId),
        },
        { ...closed, title: 'SandboxPurchase' },
      ),
      answer: Type.Object(
        {
          transactionId: Type.String(),
          transactionDate: time('Time of the purchase, by the sandbox clock.'),
        },
        { title: 'RecordedSandboxPurchase' },
      ),
    },
    async (request) => {
      const { publisherId } = request.params;
      const { code, subtotalMinor, groupId, ...input } = request.body;
      if (!staffOf(request).isSandbox)
        throw new Refusal(
          'Conflict',
          'Live purchases come from your back end. Copy this publisher to a sandbox and record purchases there.',
        );
      const group = await resolveGroup(programs, publisherId, null, groupId);
      const transactionId = `sandbox-${newPublicId()}`;
      const transactionDate = (await nowAt(db, clock, publisherId)).toISOString();
      const entry = {
        code,
        ...input,
        subtotal: Number(subtotalMinor),
        description: 'Sandbox purchase',
        transactionId,
        transactionDate,
      };
      await recordQueue.record(publisherId, group.groupId, [readEntry(entry, [], true)]);
      return { transactionId, transactionDate };
    },
  );
}
