import { type Static, Type } from 'typebox';
import { closed } from '../platform/inputs.ts';

const pointer = (description: string) =>
  Type.Optional(Type.String({ maxLength: 200, pattern: '^(/[^/]+)+$', description }));
const name = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 100, description }));
const headerName = (description: string) =>
  Type.Optional(Type.String({ maxLength: 100, pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$", description }));

/** Parts of the settings that describe any shop's webhooks. */
export const genericSettings = Type.Object(
  {
    preset: Type.Optional(
      Type.String({
        enum: ['stash', 'neon', 'aghanim', 'appcharge'],
        description: 'Shop whose format is used. Other fields override it.',
      }),
    ),
    header: headerName('Header that contains the signature.'),
    algorithm: Type.Optional(
      Type.String({
        enum: ['hmac-sha256', 'sha1-suffix'],
        description: '`sha1-suffix` is the SHA-1 of the body followed by the secret.',
      }),
    ),
    encoding: Type.Optional(Type.String({ enum: ['hex', 'base64'] })),
    signed: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Text that is signed: `{body}`, or with a time, `{t}.{body}`.',
      }),
    ),
    timeHeader: headerName(
      'Header that contains the time `{t}`, in seconds, if the signature header does not.',
    ),
    units: Type.Optional(
      Type.String({
        enum: ['minor', 'major', 'hundredths'],
        description: 'Unit of amounts. `hundredths` are hundredths of the major unit in every currency.',
      }),
    ),
    sale: name('Value of `type` for a paid order.'),
    refund: name('Value of `type` for a refund.'),
    type: pointer('JSON pointer to the kind of event.'),
    id: pointer('JSON pointer to the id of the event; without it, type and order identify the event.'),
    orderId: pointer('JSON pointer to the id of the order.'),
    refundId: pointer('JSON pointer to the id of the refund; without it, an order has one refund.'),
    code: pointer('JSON pointer to the creator code.'),
    playerId: pointer('JSON pointer to the player id.'),
    transactionId: pointer('JSON pointer to your transaction id.'),
    subtotal: pointer('JSON pointer to the amount without tax.'),
    total: pointer('JSON pointer to the amount that the buyer paid.'),
    tax: pointer('JSON pointer to the tax, which is subtracted from the total if there is no subtotal.'),
    refundAmount: pointer(
      'JSON pointer to the refunded amount with tax; without it, a refund takes back everything.',
    ),
    currency: pointer('JSON pointer to the currency code.'),
    time: pointer('JSON pointer to the time: ISO 8601, or seconds or milliseconds since 1970.'),
    items: pointer('JSON pointer to the list of items.'),
    itemSku: pointer('JSON pointer to the SKU, in an item.'),
    itemName: pointer('JSON pointer to the name, in an item.'),
    itemPrice: pointer('JSON pointer to the price, in an item.'),
    test: pointer('JSON pointer to the test flag.'),
    testValue: name('Value of the test flag for tests; `true` by default.'),
  },
  { ...closed, title: 'GenericSettings' },
);

/** Settings of a connector. Absent fields have their defaults. */
export const connectorSettings = Type.Object(
  {
    codeField: name(
      'Name of the field of the order’s metadata with the creator code; `creator_code` by default.',
    ),
    playerField: name('Name of the field with the player id; `player_id` by default.'),
    transactionField: name(
      'Name of the field with your transaction id, if your back end also records purchases. By default, the provider’s order id is the transaction id.',
    ),
    usesPlayerCode: Type.Optional(
      Type.Boolean({
        description:
          'True if an order without a valid code is credited to the code that the player had entered.',
      }),
    ),
    clawsBack: Type.Optional(
      Type.Boolean({ description: 'True if a refund after the payout is clawed back without a person.' }),
    ),
    renewalMonths: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 120,
        description: 'Number of months for which renewals of a subscription count; 0 by default.',
      }),
    ),
    isTestAccount: Type.Optional(
      Type.Boolean({
        description:
          'True if all events are tests, for the test account of a provider whose events don’t say so.',
      }),
    ),
    stripeSales: Type.Optional(
      Type.String({
        enum: ['checkout', 'payment_intent'],
        description:
          'Event that is a purchase at Stripe: a completed Checkout session (the default), or each payment.',
      }),
    ),
    isShopAddress: Type.Optional(
      Type.Boolean({
        description: 'True if Xsolla sends to this address, so that it also asks it whether users exist.',
      }),
    ),
    steamAppId: Type.Optional(
      Type.String({ pattern: '^[1-9][0-9]{0,9}$', description: 'App ID of the game at Steam.' }),
    ),
    generic: Type.Optional(genericSettings),
  },
  { ...closed, title: 'ConnectorSettings' },
);

export type ConnectorSettings = Static<typeof connectorSettings>;
export type GenericSettings = Static<typeof genericSettings>;
