import { type InputPath, joinMistakes, Refusal } from '../../platform/refusal.ts';

/**
 * What is wrong with an entry, said with the place of what is wrong: callers of the API get no more than a message.
 * @param path from the body's root: `[0, 'metrics', 'conversion']`, in words `[0].metrics.conversion`
 */
export const refuseEntry = (path: InputPath, rule: string): Refusal =>
  new Refusal('InvalidInput', `${inWords(path)} ${rule}`, { path });

const inWords = (path: InputPath): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');

/** Joins what is wrong with several entries, or with one, into one refusal. */
export function refuseAll(mistakes: readonly Refusal[]): Refusal {
  const [first] = mistakes;
  if (first === undefined) throw new Error('nothing is wrong');
  if (mistakes.length === 1) return first;
  const message = joinMistakes(mistakes.map((each) => each.message));
  return new Refusal('InvalidInput', message, { ...(first.path !== null && { path: first.path }) });
}
