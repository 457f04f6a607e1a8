import { fieldInWords } from './field-words.ts';
import { t } from './text.ts';

/** Start of a mistake that the service found in a body: the path of a value, such as `tags[2]` or `settings.name`. */
const atPath =
  /^([A-Za-z]\w*(?:\.\w+|\[\d+\])*) (?=must |requires |contains |is required|is not |does not match )/;

/**
 * Returns the service's message about rejected input in words that a form's reader knows: "tags[2] must have at most 40
 * characters" becomes "Tags, entry 3, must have at most 40 characters."
 * @param labelOf returns the label of the field with a name; null if there is none
 */
export function inputMessage(message: string, labelOf: (name: string) => string | null): string {
  const parts = message.replace(/^The [\w ]+ (?:is|are) invalid: /, '').split('; ');
  const areMistakes = parts.every((part) => atPath.test(part) || part === 'and more');
  const text = parts
    .map((part) => part.replace(atPath, (_, path: string) => `${placeInWords(path, labelOf)} `))
    .map((part) => (part === 'and more' ? t('There are more errors') : part))
    .join(areMistakes ? '. ' : '; ');
  const sentence = text.charAt(0).toLocaleUpperCase() + text.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

function placeInWords(path: string, labelOf: (name: string) => string | null): string {
  const [, names = path, index] = /^(.*?)(?:\[(\d+)\])?$/.exec(path) ?? [];
  const name = /\w+$/.exec(names.replaceAll(/\[\d+\]/g, ''))?.[0] ?? names;
  const label = labelOf(name) ?? fieldInWords(name);
  return index === undefined ? label : t('{label}, entry {number},', { label, number: Number(index) + 1 });
}
