import { type Actor, serviceActor } from '../../audit/actor.ts';
import type { Service } from '../../composition.ts';
import { approveMethod } from '../../payees/approve-method.ts';
import type { TypedDestination } from '../../payees/check-destination.ts';
import { enterMethod } from '../../payees/enter-method.ts';
import { putPayeeSettings, readPayeeSettings } from '../../payees/payee-settings.ts';
import { toAccountId } from '../../platform/ids.ts';

interface DemoMethod {
  group: string;
  /** Code of the creator. */
  code: string;
  destination: TypedDestination;
}

const individual = (holderName: string, country: string) =>
  ({ holderName, country, holderType: 'individual' }) as const;

/** Returns a function of methods of a kind that pays to an email address. */
const byEmail =
  (kind: 'paypal' | 'wise-email') =>
  (group: string, code: string, name: string, country: string): DemoMethod => ({
    group,
    code,
    destination: { kind, ...individual(name, country), email: `${code.toLowerCase()}@example.com` },
  });

const paypal = byEmail('paypal');
const wise = byEmail('wise-email');

/** @param iban example from the country's entry in the IBAN registry, which no person's account has */
const sepa = (group: string, code: string, name: string, iban: string): DemoMethod => ({
  group,
  code,
  destination: { kind: 'sepa', ...individual(name, iban.slice(0, 2)), iban },
});

/**
 * Payout methods of about half of the demo's creators, so that payment files contain some lines and leave others out.
 * Bank accounts are only for euros.
 */
export const demoMethods: readonly DemoMethod[] = [
  paypal('main', 'EMBER', 'Emma Berger', 'US'),
  sepa('main', 'SABLE', 'Sabine Frost', 'DE89370400440532013000'),
  paypal('main', 'JUNO', 'June Okafor', 'GB'),
  sepa('main', 'SOREN', 'Soren Angstrom', 'SE4550000000058398257466'),
  wise('main', 'XIAOYU', 'Lin Xiaoyu', 'TW'),
  paypal('main', 'WREN', 'Wren Doyle', 'IE'),
  sepa('main', 'LUMEN', 'Lucie Menard', 'FR1420041010050500013M02606'),
  paypal('main', 'VESPER', 'Vera Sperling', 'CA'),
  paypal('moba', 'WISP', 'Will Spencer', 'US'),
  sepa('moba', 'GALE', 'Gabriele Leitner', 'AT611904300234573201'),
  paypal('royale', 'FALCON', 'Fay Conrad', 'AU'),
  wise('royale', 'BRAMBLE', 'Bram Blekers', 'NL'),
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
  for (const { group, code, destination } of demoMethods) {
    const memberId = toAccountId(await memberOf(group, code));
    const method = await enterMethod(db, sealer, enteringActor, { publisherId, memberId, destination });
    await approveMethod(db, serviceActor, { publisherId, methodId: method.methodId, acceptsShared: false });
  }
  await putPayeeSettings(db, serviceActor, publisherId, { ...during, waitDays: before.waitDays });
}
