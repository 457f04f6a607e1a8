import { Type } from 'typebox';
import { accountKeepDays } from '../../payees/delete-accounts.ts';
import { destinationFields, holderType, methodKind } from '../../payees/destination-input.ts';
import { methodStates } from '../../payees/read-methods.ts';
import { closed } from '../../platform/inputs.ts';
import { actorSummary } from '../payouts/payout-model.ts';
import { nullable, oneOf, time } from '../schemas.ts';

export const payeeMethod = Type.Object(
  {
    methodId: Type.String({ format: 'uuid' }),
    memberId: Type.String(),
    name: Type.String({ description: "The creator's name." }),
    kind: methodKind,
    hint: Type.String({ description: 'Part of the address or account, such as `DE… 4821`.' }),
    state: oneOf(methodStates, {
      title: 'PayeeMethodState',
      description:
        'Waiting: a second person must approve the method. New: approved, and used from `usableFrom` on. Usable: new payouts use it. Ended: no new payout uses it.',
    }),
    enteredAt: time('When the method was entered.'),
    enteredBy: actorSummary,
    approvedAt: nullable(time('When the method was approved.')),
    approvedBy: nullable(actorSummary),
    usableFrom: nullable(time('When payouts begin to use the method, on the publisher’s clock.')),
    endedAt: nullable(time('When the method ended.')),
    endedBy: nullable(actorSummary),
    endedReason: nullable(Type.String()),
    isAccountDeleted: Type.Boolean({
      description: `True if the address or account was deleted, ${accountKeepDays} days after the method ended.`,
    }),
    sharedWith: Type.Array(
      Type.Object({ memberId: Type.String(), name: Type.String() }, { title: 'SharingCreator' }),
      { description: 'Other creators of the publisher with the same address or account, at most ten.' },
    ),
  },
  { title: 'PayeeMethod', description: 'Payout method of a creator, without the address or account.' },
);

export const typedDestination = Type.Object(destinationFields, { ...closed, title: 'NewPayeeMethod' });

export const destination = Type.Object(
  {
    kind: methodKind,
    holderName: Type.String(),
    holderType,
    country: Type.String(),
    email: nullable(Type.String()),
    iban: nullable(Type.String()),
    bic: nullable(Type.String()),
  },
  { title: 'RevealedPayeeMethod' },
);
