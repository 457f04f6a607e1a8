import { currencyCodes } from '../../platform/currencies.ts';
import { mistakesIn, pathOf, problemOfCreated, problemText } from '../../platform/http/schemas/validation.ts';
import { type InputPath, maxMistakes, Refusal } from '../../platform/refusal.ts';
import { maxEntries, transactionEntries, transactionEntry } from '../transaction-schema.ts';
import { readAmount, readMetrics } from './read-entry.ts';
import { refuseAll } from './refuse-entry.ts';

/**
 * Validates the body of a create request: one entry or a list. A valid body is checked in one pass. For an
 * invalid body, the error lists every problem, including invalid amounts, up to a limit.
 * @returns the error, or null for a valid body
 */
export function checkEntries(body: unknown, lowestDenomination: boolean): Refusal | null {
  const isList = Array.isArray(body);
  // The body's shape selects the schema. An error from a union would only say that neither schema matches.
  const problem = problemOfCreated(isList ? transactionEntries : transactionEntry, body);
  if (problem === null) return null;
  const isCheckable = isList ? body.length > 0 && body.length <= maxEntries : isObject(body);
  if (isCheckable) return refuseAll(mistakesOf(body, lowestDenomination));
  return new Refusal('InvalidInput', problemText(problem), { path: pathOf(problem) });
}

/**
 * Lists the problems with the entries in a body. Stops once there are more problems than an error message
 * lists.
 */
export function mistakesOf(body: unknown, lowestDenomination: boolean): Refusal[] {
  const mistakes: Refusal[] = [];
  for (const [index, entry] of [body].flat().entries()) {
    const path = Array.isArray(body) ? [index] : [];
    for (const message of mistakesOfEntry(entry, path, lowestDenomination))
      mistakes.push(new Refusal('InvalidInput', message, { path }));
    if (mistakes.length > maxMistakes) break;
  }
  return mistakes;
}

function mistakesOfEntry(entry: unknown, path: InputPath, lowestDenomination: boolean): string[] {
  const place = path.map((index) => `[${index}]`).join('');
  if (!isObject(entry)) return [`${place === '' ? 'The body' : place} must be an object`];
  const mistakes = mistakesIn(transactionEntry, entry).map((mistake) =>
    place === '' ? mistake : `${place}.${mistake}`,
  );
  const rules = { path, lowestDenomination };
  const { subtotal, total, metrics, currency, totalCurrency = currency } = entry;
  // Amounts in minor units have the same bounds in every currency, even in an unknown currency.
  const mayRead = (sent: unknown): sent is string => lowestDenomination || isCurrency(sent);
  if (typeof subtotal === 'number' && mayRead(currency))
    mistakes.push(
      ...refusedBy(() => readAmount(subtotal, currency, { ...rules, name: 'subtotal', min: 1n })),
    );
  if (typeof total === 'number' && mayRead(totalCurrency))
    mistakes.push(...refusedBy(() => readAmount(total, totalCurrency, { ...rules, name: 'total', min: 0n })));
  const isMetricsGood = !mistakes.some((mistake) => mistake.includes('metrics'));
  if (isObject(metrics) && isMetricsGood)
    mistakes.push(...refusedBy(() => readMetrics(metrics, path, lowestDenomination)));
  return mistakes;
}

function refusedBy(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof Refusal) return [error.message];
    throw error;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isCurrency = (value: unknown): value is string =>
  typeof value === 'string' && (currencyCodes as readonly string[]).includes(value);
