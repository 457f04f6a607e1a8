import { Type } from 'typebox';
import { Refusal } from '../../platform/refusal.ts';

/** Maximum number of payouts in a query, limited because their ids are in the URL. Matches the longest page of a list. */
const maxChosen = 250;

/** Query parameter that names payouts. */
export const chosenPayouts = Type.String({
  pattern: '^[0-9A-Za-z-]{1,64}(,[0-9A-Za-z-]{1,64})*$',
  maxLength: 65 * maxChosen,
  description: `Ids of up to ${maxChosen} payouts, separated by commas.`,
});

/** @throws Refusal when there are too many */
export function readChosen(payouts: string): string[] {
  const ids = payouts.split(',');
  if (ids.length > maxChosen)
    throw new Refusal('InvalidInput', `Choose at most ${maxChosen} payouts.`, { path: ['payouts'] });
  return ids;
}
