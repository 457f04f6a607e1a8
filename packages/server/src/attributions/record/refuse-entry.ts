import { type InputPath, joinMistakes, Refusal } from '../../platform/refusal.ts';

/**
 * Returns the error for an invalid field. The path is part of the message, because the response contains only
 * the message.
 * @param path path from the body's root, such as `[0, 'metrics', 'conversion']`, shown as
 *   `[0].metrics.conversion`
 */
export const refuseEntry = (path: InputPath, rule: string): Refusal =>
  new Refusal('InvalidInput', `${inWords(path)} ${rule}`, { path });

const inWords = (path: InputPath): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');

export function refuseAll(mistakes: readonly Refusal[]): Refusal {
  const [first] = mistakes;
  if (first === undefined) throw new Error('refuseAll needs at least one error');
  if (mistakes.length === 1) return first;
  const message = joinMistakes(mistakes.map((each) => each.message));
  return new Refusal('InvalidInput', message, { ...(first.path !== null && { path: first.path }) });
}
