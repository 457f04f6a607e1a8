import bidiPackage, { type Bidi } from 'bidi-js';
import type { ChooseFont, FontName } from './choose-font.ts';

/** Part of a line with one font and direction. */
export interface TextRun {
  text: string;
  font: FontName;
}

// The package's types describe an ES module. Node loads its CommonJS form, which exports the function itself.
const bidi = (bidiPackage as unknown as () => Bidi)();

/** Returns the runs of a line in the order in which they are drawn, from left to right. */
export function visualRuns(line: string, chooseFont: ChooseFont): TextRun[] {
  const { levels } = bidi.getEmbeddingLevels(line);
  const mirrored = bidi.getMirroredCharactersMap(line, levels);
  const runs: (TextRun & { level: number })[] = [];
  let at = 0;
  for (const character of line) {
    const level = levels[at] ?? 0;
    const text = mirrored.get(at) ?? character;
    at += character.length;
    const run = runs.at(-1);
    const font = chooseFont(character, run?.font) ?? 'latin';
    // The library draws words one after another from left to right, so right-to-left words are runs of their own.
    const isWordEnd = level % 2 === 1 && (character === ' ' || run?.text === ' ');
    if (run !== undefined && run.level === level && run.font === font && !isWordEnd) run.text += text;
    else runs.push({ text, font, level });
  }
  return reordered(runs).map(({ text, font, level }) => ({
    // The fonts of right-to-left scripts are drawn in their own direction. Other characters among them, such as brackets, are not.
    text: level % 2 === 1 && font !== 'arabic' && font !== 'hebrew' ? [...text].reverse().join('') : text,
    font,
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
