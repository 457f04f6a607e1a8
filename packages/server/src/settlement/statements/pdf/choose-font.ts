/**
 * Fonts, named for the letters that they are chosen for. `latin` also has Cyrillic, Greek and Vietnamese letters. The last three
 * have Han characters in the forms of their countries.
 */
export type FontName = 'latin' | 'arabic' | 'hebrew' | 'thai' | 'chinese' | 'japanese' | 'korean';

/** Returns the font for a character, given that of the character before it; null if no font contains the character. */
export type ChooseFont = (character: string, before?: FontName) => FontName | null;

const patterns = [
  ['arabic', /\p{Script_Extensions=Arabic}/u],
  ['hebrew', /\p{Script_Extensions=Hebrew}/u],
  ['thai', /\p{Script_Extensions=Thai}/u],
] as const;

/** Blocks of Chinese, Japanese and Korean characters. */
const eastAsian =
  /[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\u{20000}-\u{3ffff}]/u;
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const hangul = /\p{Script=Hangul}/u;

/**
 * Returns how the characters of a text are given fonts. Han characters have the forms of the country that the text's other letters
 * belong to, or else those of China.
 * @param has returns whether a font contains a character
 */
export function fontChooser(text: string, has: (font: FontName, character: string) => boolean): ChooseFont {
  const east = eastAsianFonts(text);
  return (character, before = 'latin') =>
    fontsFor(character, before, east).find((font) => has(font, character)) ?? null;
}

function eastAsianFonts(text: string): readonly FontName[] {
  if (kana.test(text)) return ['japanese', 'chinese', 'korean'];
  if (hangul.test(text)) return ['korean', 'chinese', 'japanese'];
  return ['chinese', 'japanese', 'korean'];
}

/** Returns the fonts that may contain a character. Marks and spaces belong to the letter before them. */
function fontsFor(character: string, before: FontName, east: readonly FontName[]): readonly FontName[] {
  const own = patterns.find(([, pattern]) => pattern.test(character))?.[0];
  if (character === ' ' || /\p{M}/u.test(character))
    return own === undefined || /\p{Script=Inherited}/u.test(character)
      ? [before, 'latin']
      : [own, before, 'latin'];
  if (own !== undefined) return [own, 'latin'];
  return eastAsian.test(character) ? east : ['latin'];
}
