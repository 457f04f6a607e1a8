import type { ChooseFont, FontName } from './choose-font.ts';

/**
 * Characters that a name may not bring along: controls, private ones, variants of a character (its usual form is drawn), and
 * characters that change the direction of other text.
 */
const unwanted =
  /[\p{Cc}\p{Co}\p{Variation_Selector}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
/** A Thai tone mark before SARA AM is drawn in the wrong place, so the letter is replaced by its parts. */
const toneBeforeAm = /([\u0e48-\u0e4b])\u0e33/g;
/** Emoji, and what they are composed with. */
const emoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u200d|\u20e3/u;
/** Joins emoji, and letters of some scripts. */
const joiner = '\u200d';
/** Maximum number of characters of a text, which is far more than two lines have. */
const maxCharacters = 300;

/** Stands for characters that no font contains. */
export const replacement = '[?]';

/** Prepares other people's text, such as a name, for drawing on one or two lines. */
export const plainText = (text: string): string =>
  [...text.normalize('NFC').replaceAll(/\s+/g, ' ').replaceAll(unwanted, '')]
    .slice(0, maxCharacters)
    .join('')
    .trim()
    .replaceAll(toneBeforeAm, '\u0e4d$1\u0e32');

/** Text in which every character can be drawn. */
export interface DrawableText {
  text: string;
  /** True if letters were replaced, and not only emoji left out. */
  isReplaced: boolean;
}

/**
 * Leaves out the emoji that no font contains, and replaces other such characters, because a font draws an empty box for them. A
 * text of nothing but emoji is replaced as a whole.
 */
export function drawableText(text: string, chooseFont: ChooseFont): DrawableText {
  const pieces: string[] = [];
  let isReplaced = false;
  let before: FontName | undefined;
  let isInEmoji = false;
  for (const character of text) {
    const font = chooseFont(character, before);
    const isLeftOut: boolean = font === null ? emoji.test(character) : isInEmoji && character === joiner;
    isInEmoji = isLeftOut;
    if (isLeftOut) continue;
    before = font ?? 'latin';
    if (font !== null) pieces.push(character);
    else if (pieces.at(-1) !== replacement) pieces.push(replacement);
    isReplaced ||= font === null;
  }
  const drawable = pieces.join('').replaceAll(/ +/g, ' ').trim();
  if (drawable === '' && text !== '') return { text: replacement, isReplaced: true };
  return { text: drawable, isReplaced };
}
