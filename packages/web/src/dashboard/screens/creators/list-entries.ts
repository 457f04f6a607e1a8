import type { CreatorInList, ListEntry } from '../../../client/types.gen.ts';
import { codeError } from './code-error.ts';
import { keyOf } from './use-creators.ts';

/** Creators picked for ambiguous entries: each creator's key by the entry's text. */
export type Picked = Readonly<Record<string, string>>;

export interface NewCreator {
  name: string;
  /** The entry as a code, if it can be one; otherwise null. */
  code: string | null;
}

/** Returns the creator that an entry names or that was picked for it; null if there is none. */
export function creatorOf({ text, state, creators }: ListEntry, picked: Picked): CreatorInList | null {
  if (state === 'found') return creators[0] ?? null;
  return state === 'ambiguous' ? (creators.find((each) => keyOf(each) === picked[text]) ?? null) : null;
}

/** Separator between the cells of a spreadsheet row in an entry's text. */
const cellSeparator = ' · ';
const maxNameLength = 255;

/**
 * Returns the creator that an unknown entry would add, with the entry as the name; null for other entries and for
 * spreadsheet rows. The cells of a row have no column names, so only Import can add it.
 */
export function asNewCreator({ text, state }: ListEntry): NewCreator | null {
  if (state !== 'unknown' || text.includes(cellSeparator) || text.length > maxNameLength) return null;
  return { name: text, code: codeError(text) === null ? text : null };
}
