import { type Actor, serviceActor } from '../../audit/actor.ts';
import type { Service } from '../../composition.ts';
import { approveMethod } from '../../payees/approve-method.ts';
import type { TypedDestination } from '../../payees/check-destination.ts';
import { enterMethod } from '../../payees/enter-method.ts';
import { putPayeeSettings, readPayeeSettings } from '../../payees/payee-settings.ts';
import { toAccountId } from '../../platform/ids.ts';

interface DemoPayee {
  group: string;
  /** Code of the creator. */
  code: string;
  destinations: readonly TypedDestination[];
}

/** Returns a function of creators who are paid, in any currency, to an email address. */
const byEmail =
  (kind: 'paypal' | 'wise-email') =>
  (group: string, code: string, holderName: string, country: string): DemoPayee => ({
    group,
    code,
    destinations: [
      { kind, holderName, country, holderType: 'individual', email: `${code.toLowerCase()}@example.com` },
    ],
  });

const paypal = byEmail('paypal');
const wise = byEmail('wise-email');

/** Returns a creator with a bank account for euros, and PayPal for other currencies. */
function bank(group: string, code: string, holderName: string, iban: string): DemoPayee {
  const country = iban.slice(0, 2);
  const { destinations } = paypal(group, code, holderName, country);
  return {
    group,
    code,
    destinations: [{ kind: 'sepa', holderName, country, holderType: 'individual', iban }, ...destinations],
  };
}

/**
 * Payout methods of all creators in the demo who earn something, except Onyx and Fable. They are due small amounts, so
 * that payment files leave some lines out. The IBANs are examples from the IBAN registry, which no person's account has.
 */
const demoPayees: readonly DemoPayee[] = [
  paypal('main', 'ALICE', 'Alice Mercer', 'US'),
  wise('main', 'BOB', 'Robert Hale', 'US'),
  paypal('main', 'EMBER', 'Emma Berger', 'US'),
  bank('main', 'SABLE', 'Sabine Frost', 'DE89370400440532013000'),
  paypal('main', 'JUNO', 'June Okafor', 'GB'),
  paypal('main', 'ROOK', 'Rupert Cook', 'GB'),
  bank('main', 'SOREN', 'Soren Angstrom', 'SE4550000000058398257466'),
  wise('main', 'XIAOYU', 'Lin Xiaoyu', 'TW'),
  paypal('main', 'WREN', 'Wren Doyle', 'IE'),
  paypal('main', 'PIXEL', 'Paz Iglesias', 'MX'),
  bank('main', 'LUMEN', 'Lucie Menard', 'FR1420041010050500013M02606'),
  paypal('main', 'TUNDRA', 'Tuva Dragland', 'NO'),
  paypal('main', 'VESPER', 'Vera Sperling', 'CA'),
  paypal('main', 'MARLOW', 'Martin Lowe', 'AU'),
  wise('main', 'QUILL', 'Quentin Hill', 'NZ'),
  paypal('main', 'INDIGO', 'Indira Gomes', 'PT'),
  paypal('main', 'BASIL', 'Basil Ward', 'GB'),
  paypal('main', 'HARPER', 'Harper Quinn', 'US'),
  paypal('moba', 'WISP', 'Will Spencer', 'US'),
  bank('moba', 'GALE', 'Gabriele Leitner', 'AT611904300234573201'),
  paypal('moba', 'THORNE', 'Theo Ornelas', 'BR'),
  paypal('royale', 'FALCON', 'Fay Conrad', 'AU'),
  wise('royale', 'BRAMBLE', 'Bram Blekers', 'NL'),
  paypal('royale', 'IVORY', 'Ivo Ryland', 'US'),
  paypal('royale', 'TITAN', 'Tina Tan', 'SG'),
];

/** Settings without which files for banks and Wise can't be created. */
const fileSettings = {
  debtor: { name: 'Aurora Games GmbH', iban: 'DE02120300000000202051', bic: null },
  wiseHeader:
    'name,recipientEmail,paymentReference,receiverType,amountCurrency,amount,sourceCurrency,targetCurrency',
};

/** Actor who enters the methods. Another one approves them, because no one may approve a method that they entered. */
const enteringActor: Actor = { ...serviceActor, id: 'demo', name: 'Demo data' };

/**
 * Enters and approves the demo's payout methods, which can be used at once. Afterward, the waiting period is the default
 * again.
 * @param memberOf returns the account id of the member with a code
 */
export async function enterDemoMethods(
  { database: { background: db }, sealer }: Service,
  publisherId: string,
  memberOf: (group: string, code: string) => Promise<string>,
): Promise<void> {
  const before = await readPayeeSettings(db, publisherId);
  const during = await putPayeeSettings(db, serviceActor, publisherId, {
    ...before,
    ...fileSettings,
    waitDays: 0,
  });
  for (const { group, code, destinations } of demoPayees) {
    const memberId = toAccountId(await memberOf(group, code));
    for (const destination of destinations) {
      const { methodId } = await enterMethod(db, sealer, enteringActor, {
        publisherId,
        memberId,
        destination,
      });
      await approveMethod(db, serviceActor, { publisherId, methodId, acceptsShared: false });
    }
  }
  await putPayeeSettings(db, serviceActor, publisherId, { ...during, waitDays: before.waitDays });
}
