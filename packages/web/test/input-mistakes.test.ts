import { expect, test } from 'vitest';
import { inputMessage } from '../src/ui/input-mistakes.ts';

const labels = new Map([['url', 'Endpoint URL']]);
const shown = (message: string): string => inputMessage(message, (name) => labels.get(name) ?? null);

test.each([
  ['emailTopics must have at least 1 entry', 'Email topics must have at least 1 entry.'],
  ['url must be an http or https URL', 'Endpoint URL must be an http or https URL.'],
  ['settings.generic.codeField must not be empty', 'Code field must not be empty.'],
  ['tags[2] must have at most 40 characters', 'Tags, entry 3, must have at most 40 characters.'],
  ['The settings are invalid: generic.timeHeader must not be empty', 'Time header must not be empty.'],
  ['codes[0].code must not be empty', 'Code must not be empty.'],
  [
    'name must not be empty; url must be an http or https URL; and more',
    'Name must not be empty. Endpoint URL must be an http or https URL. There are more errors.',
  ],
])('names the fields of %j', (message, expected) => {
  expect(shown(message)).toBe(expected);
});

test.each([
  ['The name is taken. Choose another one.', 'The name is taken. Choose another one.'],
  [
    'the code KIRA belongs to another member; choose another code',
    'The code KIRA belongs to another member; choose another code.',
  ],
])('keeps the words of %j', (message, expected) => {
  expect(shown(message)).toBe(expected);
});
