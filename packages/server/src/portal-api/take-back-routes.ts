import { Type } from 'typebox';
import { methodKind } from '../payees/destination-input.ts';
import type { App } from '../platform/http/app-type.ts';
import { oneOf, time } from '../platform/http/schemas/fields.ts';
import { text } from '../platform/http/schemas/schemas.ts';
import { closed } from '../platform/inputs.ts';
import type { Portal } from '../portal/create-portal.ts';
import { readToldChange, type ToldChange, takeBack } from '../portal/methods/take-back.ts';
import { readTakeBackToken } from '../portal/methods/take-back-links.ts';
import { publisherNames } from '../publishers/publisher-names.ts';
import { sourceOf } from './browser-of.ts';
import { portalOperations } from './portal-operations.ts';

const token = text(400, 'Part of the link after the #.');

const toldChange = Type.Object(
  {
    publisherName: Type.String(),
    kind: methodKind,
    hint: Type.String({ description: 'Part of the address or account of the method.' }),
    change: oneOf(['entered', 'removed'], {
      title: 'PayoutMethodChangeKind',
      description: 'entered: the method was entered. removed: it was removed.',
    }),
    changedAt: time('When the method changed.'),
    expiresAt: time('When the change can no longer be taken back.'),
    isTakenBack: Type.Boolean({ description: 'True if the change was already taken back.' }),
  },
  { title: 'PayoutMethodChange' },
);

/** Registers the operations behind the link "This wasn’t me" in an email. Only the second one changes anything. */
export function takeBackRoutes(app: App, portal: Portal): void {
  const operation = portalOperations(app, 'Payout methods');
  const { db, clock, limits } = portal;
  operation(
    ['post', '/auth/payout-method-change', 'getPayoutMethodChange'],
    {
      of: 'public',
      summary: 'Get the changed payout method that an email told of',
      description: 'Returns 404 if the change can no longer be taken back.',
      body: Type.Object({ token }, closed),
      answer: toldChange,
    },
    async (request) => {
      limits.countAttempt(request.ip);
      const key = readTakeBackToken(await portal.readSecret(), request.body.token);
      return toWire(portal, await readToldChange(db, key, clock.now()));
    },
  );

  operation(
    ['post', '/auth/payout-method-change/take-back', 'takeBackPayoutMethodChange'],
    {
      of: 'public',
      summary: 'Take back a change of a payout method that the creator did not make',
      description:
        'Also takes back the later changes, ends all sessions of the person, and keeps the creator out of payouts until the publisher has checked. Works once.',
      body: Type.Object({ token }, closed),
      answer: toldChange,
    },
    async (request) => {
      limits.countAttempt(request.ip);
      const key = readTakeBackToken(await portal.readSecret(), request.body.token);
      const at = { source: sourceOf(request), now: clock.now() };
      return toWire(portal, await takeBack(db, portal.sealer, key, at));
    },
  );
}

async function toWire({ db }: Portal, { publisherId, accountId: _, ...told }: ToldChange) {
  const names = await publisherNames(db, [publisherId]);
  return { publisherName: names.get(publisherId) ?? publisherId, ...told };
}
