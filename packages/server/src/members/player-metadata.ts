import { Type } from 'typebox';
import { keepsOthers } from '../platform/http/schemas/known-names.ts';
import { storable, text } from '../platform/http/schemas/schemas.ts';
import { Refusal } from '../platform/refusal.ts';

/** Data that a publisher stores with a member. Unknown properties are returned as sent. */
export interface PlayerMetadata {
  displayName?: string;
}

// Every lookup of a member returns its metadata, so it must stay small.
const maxCharacters = 8_192;
const maxLevels = 16;

export const playerMetadata = Type.Object(
  { displayName: Type.Optional(text(255)) },
  {
    ...keepsOthers,
    title: 'NewPlayerMetadata',
    description:
      'Data to store with a member, including your own properties. At most 8,192 characters as JSON, and 16 levels deep.',
  },
);

/** Checks the size, depth and text of metadata. @throws Refusal InvalidInput */
export function checkPlayerMetadata(metadata: PlayerMetadata): void {
  if (!isStorable(metadata, maxLevels) || JSON.stringify(metadata).length > maxCharacters) {
    throw new Refusal(
      'InvalidInput',
      'playerMetadata must be well-formed Unicode without U+0000, at most 8,192 characters as JSON, and at most 16 levels deep',
    );
  }
}

const storableText = new RegExp(storable, 'u');

function isStorable(value: unknown, levels: number): boolean {
  if (typeof value === 'string') return storableText.test(value);
  if (typeof value !== 'object' || value === null) return true;
  return (
    levels > 0 &&
    Object.entries(value).every(([name, each]) => storableText.test(name) && isStorable(each, levels - 1))
  );
}
