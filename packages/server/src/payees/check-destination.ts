import { electronicFormatIBAN, isSEPACountry, isValidBIC, isValidIBAN } from 'ibantools';
import { Refusal } from '../platform/refusal.ts';
import type { Destination, Holder, MethodKind } from './destination.ts';

/** Destination as a person typed it. */
export interface TypedDestination extends Holder {
  kind: MethodKind;
  email?: string | undefined;
  iban?: string | undefined;
  bic?: string | undefined;
}

/** Maximum length of a holder's name. SEPA files have room for 70 characters. */
export const maxNameLength = 140;
const maxSepaNameLength = 70;
/** Starts with a letter or digit, so that no spreadsheet interprets an address as a formula. */
const emailForm = /^[a-z0-9][a-z0-9._%+'-]{0,63}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i;
const maxEmailLength = 254;
/**
 * Letters of any script, and the punctuation that names contain. A name starts with a letter or digit, so it is never a
 * formula.
 */
const nameForm = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} .,'’&()/+:-]*$/u;
/** Characters of names that every SEPA bank accepts. */
const sepaNameForm = /^[A-Za-z0-9][A-Za-z0-9 .,'()/+:?-]*$/;
const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/**
 * Checks a destination and returns it in its normal form. Nothing is transliterated, because a bank compares the
 * holder's name with the name on the account and would reject a wrong guess.
 * @throws Refusal InvalidInput, which doesn't repeat the address
 */
export function checkDestination(typed: TypedDestination): Destination {
  const { kind } = typed;
  const holder = checkHolder(typed);
  if (kind !== 'sepa') {
    refuseField(typed.iban, 'iban', 'Only a bank account has an IBAN. Leave it out.');
    refuseField(typed.bic, 'bic', 'Only a bank account has a BIC. Leave it out.');
    return { kind, ...holder, email: checkEmail(typed.email) };
  }
  refuseField(typed.email, 'email', 'A bank account has no email address. Leave it out.');
  return {
    kind,
    ...holder,
    holderName: checkSepaName(holder.holderName, 'holderName'),
    iban: checkSepaIban(typed.iban, 'iban'),
    bic: checkBic(typed.bic, 'bic'),
  };
}

function checkHolder({ holderName: typed, holderType, country: typedCountry }: TypedDestination): Holder {
  const holderName = typed.normalize('NFC').trim().replaceAll(/\s+/g, ' ');
  if (holderName === '' || [...holderName].length > maxNameLength)
    throw invalid('holderName', `The holder's legal name must have 1 to ${maxNameLength} characters.`);
  if (!nameForm.test(holderName))
    throw invalid(
      'holderName',
      "The holder's legal name must start with a letter or digit, and consist of letters, digits, spaces and . , ' & ( ) / + : -",
    );
  const country = typedCountry.trim().toUpperCase();
  if (!/^[A-Z]{2}$/.test(country) || regionNames.of(country) === undefined)
    throw invalid('country', "The holder's country must be a code of two letters, such as DE.");
  return { holderName, holderType, country };
}

function checkEmail(typed: string | undefined): string {
  const email = typed?.trim() ?? '';
  if (email.length > maxEmailLength || !emailForm.test(email))
    throw invalid('email', 'Enter the email address of the account, such as name@example.com.');
  return email;
}

/** @throws Refusal InvalidInput for a name that a SEPA file can't contain */
export function checkSepaName(typed: string, field: string): string {
  const name = typed.trim();
  if (!sepaNameForm.test(name))
    throw invalid(
      field,
      "Banks accept only the letters A to Z, digits, spaces and . , ' ( ) / + : ? - in names. Enter the name in Latin letters, as the bank has it.",
    );
  if (name.length > maxSepaNameLength)
    throw invalid(
      field,
      `Names in bank files can have at most ${maxSepaNameLength} characters, and this one has ${name.length}. Enter the short form that the bank uses.`,
    );
  if (name.endsWith('/') || name.includes('//'))
    throw invalid(field, 'For banks, a name must not end with a slash or contain two slashes in a row.');
  return name;
}

/** @throws Refusal InvalidInput, which doesn't repeat the IBAN */
export function checkSepaIban(typed: string | undefined, field: string): string {
  const iban = electronicFormatIBAN(typed ?? '') ?? '';
  if (!isValidIBAN(iban))
    throw invalid(
      field,
      'This is not a valid IBAN. Compare it with the bank’s own text, character by character.',
    );
  if (!isSEPACountry(iban.slice(0, 2)))
    throw invalid(
      field,
      `Banks in ${regionNames.of(iban.slice(0, 2)) ?? iban.slice(0, 2)} don't accept SEPA payments. Use another method.`,
    );
  return iban;
}

/** @throws Refusal InvalidInput */
export function checkBic(typed: string | undefined, field: string): string | null {
  const bic = (typed ?? '').replaceAll(/\s/g, '').toUpperCase();
  if (bic === '') return null;
  if (!isValidBIC(bic))
    throw invalid(field, 'This is not a valid BIC. It has 8 or 11 characters. It may also be left out.');
  return bic;
}

function refuseField(value: string | undefined, field: string, message: string): void {
  if (value !== undefined && value.trim() !== '') throw invalid(field, message);
}

const invalid = (field: string, message: string): Refusal =>
  new Refusal('InvalidInput', message, { path: [field] });
