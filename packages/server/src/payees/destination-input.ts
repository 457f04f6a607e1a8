import { type TSchema, Type } from 'typebox';
import { oneOf } from '../platform/http/schemas/fields.ts';
import { storable } from '../platform/http/schemas/schemas.ts';
import { holderTypes, methodKinds } from './destination.ts';

export const methodKind = oneOf(methodKinds, {
  title: 'PayeeMethodKind',
  description:
    'paypal: a PayPal account. wise-email: an email address to which Wise sends a request for the bank account. sepa: a bank account for euros.',
});

export const holderType = oneOf(holderTypes, { title: 'HolderType' });

const line = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: storable, description });

/** Properties of a typed destination, in the admin API and in the portal's API. `checkDestination` checks them. */
export const destinationFields = {
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
} satisfies Record<string, TSchema>;
