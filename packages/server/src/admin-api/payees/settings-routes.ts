import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import {
  decimalSigns,
  maxWaitDays,
  putPayeeSettings,
  readPayeeSettings,
} from '../../payees/payee-settings.ts';
import type { App } from '../../platform/http/app-type.ts';
import { storable } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import { adminOperations } from '../admin-operations.ts';
import { currencyCode, editedVersion, nullable, oneOf } from '../schemas.ts';

const settings = Type.Object(
  {
    version: editedVersion,
    waitDays: Type.Integer({
      minimum: 0,
      maximum: maxWaitDays,
      description: 'Days between the approval of a payout method and its first use.',
    }),
    paypalDecimalSign: oneOf(decimalSigns, {
      description:
        "Decimal separator in PayPal files, as used in the country of the publisher's PayPal account.",
    }),
    wiseHeader: nullable(
      Type.String({
        maxLength: 1_000,
        pattern: storable,
        description: "First line of the publisher's Wise template for “Send by email”.",
      }),
    ),
    wiseSourceCurrency: nullable(
      currencyCode('Currency that the publisher pays Wise in; null for the currency of the payout.'),
    ),
    debtor: nullable(
      Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: 70, pattern: storable }),
          iban: Type.String({ minLength: 1, maxLength: 60, pattern: storable }),
          bic: nullable(Type.String({ maxLength: 20, pattern: storable })),
        },
        { ...closed, title: 'Debtor', description: 'Account that SEPA files pay from.' },
      ),
    ),
  },
  { ...closed, title: 'PayeeSettings' },
);

export function payeeSettingRoutes(app: App, { database: { db } }: Service): void {
  const { operation } = adminOperations(app, 'Payees');
  operation(
    ['get', '/publishers/:publisherId/payee-settings', 'readPayeeSettings'],
    { may: 'payees', summary: 'Get the settings for payout methods and payment files', answer: settings },
    ({ params: { publisherId } }) => readPayeeSettings(db, publisherId),
  );
  operation(
    ['put', '/publishers/:publisherId/payee-settings', 'putPayeeSettings'],
    {
      may: 'payees',
      fresh: true,
      people: true,
      summary: 'Change the settings for payout methods and payment files',
      body: settings,
      answer: settings,
    },
    ({ params: { publisherId }, body, actor }) => putPayeeSettings(db, actor, publisherId, body),
  );
}
