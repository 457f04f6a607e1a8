import { Type } from 'typebox';
import { keepsOthers } from '../platform/http/schemas/known-names.ts';
import { storable, text } from '../platform/http/schemas/schemas.ts';
import { Refusal } from '../platform/refusal.ts';

/** What a publisher keeps with a member; other properties than the known one come back as sent. */
export interface PlayerMetadata {
  displayName?: string;
}

// It comes back with every look-up of the member, so it stays small.
const maxCharacters = 8_192;
const maxLevels = 16;

export const playerMetadata = Type.Object(
  { displayName: Type.Optional(text(255)) },
  {
    ...keepsOthers,
    title: 'NewPlayerMetadata',
    description:
      'What to keep with a member, properties of your own included. At most 8,192 characters as JSON, and 16 levels deep.',
  },
);

/** @throws Refusal InvalidInput when it is larger or deeper than is kept, or holds text that cannot be stored */
export function checkPlayerMetadata(metadata: PlayerMetadata): void {
  if (!isKept(metadata, maxLevels) || JSON.stringify(metadata).length > maxCharacters) {
    throw new Refusal(
      'InvalidInput',
      'playerMetadata must have at most 8,192 characters as JSON and 16 levels, in well-formed Unicode without U+0000',
    );
  }
}

const storableText = new RegExp(storable, 'u');

function isKept(value: unknown, levels: number): boolean {
  if (typeof value === 'string') return storableText.test(value);
  if (typeof value !== 'object' || value === null) return true;
  return (
    levels > 0 &&
    Object.entries(value).every(([name, each]) => storableText.test(name) && isKept(each, levels - 1))
  );
}
