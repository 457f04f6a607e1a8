import { Type } from 'typebox';
import { accountKeepDays } from '../../payees/delete-accounts.ts';
import { holderTypes, methodKinds } from '../../payees/destination.ts';
import { methodStates } from '../../payees/read-methods.ts';
import { storable } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import { actorSummary } from '../payouts/payout-model.ts';
import { nullable, oneOf, time } from '../schemas.ts';

export const methodKind = oneOf(methodKinds, {
  title: 'PayeeMethodKind',
  description:
    'paypal: a PayPal account. wise-email: an email address to which Wise sends a request for the bank account. sepa: a bank account for euros.',
});

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

const line = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: storable, description });

const holderType = oneOf(holderTypes, { title: 'HolderType' });

export const typedDestination = Type.Object(
  {
    kind: methodKind,
    holderName: line(
      280,
      'Legal name of the holder. For a bank account, in Latin letters, at most 70 characters.',
    ),
    holderType,
    country: line(2, 'Country of the holder, as two letters.'),
    email: Type.Optional(line(254, 'Email address of a PayPal or Wise payee.')),
    iban: Type.Optional(line(60, 'IBAN of a bank account that accepts SEPA payments.')),
    bic: Type.Optional(line(20, 'BIC of the bank. May be left out.')),
  },
  { ...closed, title: 'NewPayeeMethod' },
);

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
