import bidiPackage, { type Bidi } from 'bidi-js';

/** Fonts, named for the scripts that they contain. `latin` also has Cyrillic, Greek and Vietnamese letters. */
export const scripts = ['latin', 'arabic', 'hebrew', 'thai'] as const;
export type Script = (typeof scripts)[number];

/** Part of a line with one font and direction. */
export interface TextRun {
  text: string;
  script: Script;
}

// The package's types describe an ES module. Node loads its CommonJS form, which exports the function itself.
const bidi = (bidiPackage as unknown as () => Bidi)();

/** Characters that a name may not bring along: controls, and characters that change the direction of other text. */
const unwanted =
  /[\p{Cc}\p{Co}\p{Cn}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
/** A Thai tone mark before SARA AM is drawn in the wrong place, so the letter is replaced by its parts. */
const toneBeforeAm = /([\u0e48-\u0e4b])\u0e33/g;
/** Maximum number of characters of a text, which is far more than two lines have. */
const maxCharacters = 300;

/** Prepares other people's text, such as a name, for drawing on one or two lines. */
export const plainText = (text: string): string =>
  [...text.normalize('NFC').replaceAll(/\s+/g, ' ').replaceAll(unwanted, '')]
    .slice(0, maxCharacters)
    .join('')
    .trim()
    .replaceAll(toneBeforeAm, '\u0e4d$1\u0e32');

/** Returns the runs of a line in the order in which they are drawn, from left to right. */
export function visualRuns(line: string): TextRun[] {
  const { levels } = bidi.getEmbeddingLevels(line);
  const mirrored = bidi.getMirroredCharactersMap(line, levels);
  const runs: (TextRun & { level: number })[] = [];
  let at = 0;
  for (const character of line) {
    const level = levels[at] ?? 0;
    const text = mirrored.get(at) ?? character;
    at += character.length;
    const run = runs.at(-1);
    const script = scriptOf(character, run?.script);
    // The library draws words one after another from left to right, so right-to-left words are runs of their own.
    const isWordEnd = level % 2 === 1 && (character === ' ' || run?.text === ' ');
    if (run !== undefined && run.level === level && run.script === script && !isWordEnd) run.text += text;
    else runs.push({ text, script, level });
  }
  return reordered(runs).map(({ text, script, level }) => ({
    // The fonts of right-to-left scripts are drawn in their own direction. Other characters among them, such as brackets, are not.
    text: level % 2 === 1 && script !== 'arabic' && script !== 'hebrew' ? [...text].reverse().join('') : text,
    script,
  }));
}

/** Reverses runs from the highest level down to the lowest odd one (rule L2 of the algorithm). */
function reordered<Run extends { level: number }>(runs: readonly Run[]): Run[] {
  const ordered = [...runs];
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level -= 1)
    for (let from = 0; from < ordered.length; from += 1) {
      let to = from;
      while ((ordered[to]?.level ?? -1) >= level) to += 1;
      if (to > from) ordered.splice(from, to - from, ...ordered.slice(from, to).reverse());
      from = to;
    }
  return ordered;
}

const patterns = [
  ['arabic', /\p{Script_Extensions=Arabic}/u],
  ['hebrew', /\p{Script_Extensions=Hebrew}/u],
  ['thai', /\p{Script_Extensions=Thai}/u],
] as const;

/** Marks and spaces belong to the letter before them. */
function scriptOf(character: string, before: Script = 'latin'): Script {
  if (character === ' ' || /\p{M}/u.test(character)) {
    const own = patterns.find(
      ([, pattern]) => pattern.test(character) && !/\p{Script=Inherited}/u.test(character),
    );
    return own?.[0] ?? before;
  }
  return patterns.find(([, pattern]) => pattern.test(character))?.[0] ?? 'latin';
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * Breaks text into lines, between words where possible. What doesn't fit is cut off, with an ellipsis.
 * @param widthOf width of a line
 */
export function breakLines(
  text: string,
  { width, maxLines, widthOf }: { width: number; maxLines: number; widthOf(line: string): number },
): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest !== '') {
    if (widthOf(rest) <= width) return [...lines, rest];
    const isLast = lines.length === maxLines - 1;
    const fits = isLast
      ? (line: string) => widthOf(`${line}…`) <= width
      : (line: string) => widthOf(line) <= width;
    const line = longestStart(rest, fits);
    if (isLast) return [...lines, `${line.trimEnd()}…`];
    const space = line.lastIndexOf(' ');
    const end = rest[line.length] === ' ' || space <= 0 ? line.length : space;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return lines;
}

/** Returns the longest start of a text that fits, at least one grapheme. */
function longestStart(text: string, fits: (line: string) => boolean): string {
  const ends = [...graphemes.segment(text)].map(({ index, segment }) => index + segment.length);
  let [fitting, tooLong] = [0, ends.length];
  while (tooLong - fitting > 1) {
    const middle = (fitting + tooLong) >> 1;
    if (fits(text.slice(0, ends[middle]))) fitting = middle;
    else tooLong = middle;
  }
  return text.slice(0, ends[fitting]);
}
