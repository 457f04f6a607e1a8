import { type InputPath, Refusal } from '../../platform/refusal.ts';

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
