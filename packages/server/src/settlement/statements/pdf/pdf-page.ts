import { fontChooser } from './choose-font.ts';
import { type Document, PdfFonts, type Weight } from './pdf-fonts.ts';
import { type DrawableText, drawableText, plainText } from './plain-text.ts';
import { breakLines, type TextRun, visualRuns } from './text-runs.ts';

export interface TextStyle {
  weight?: Weight;
  size?: number;
  color?: string;
  align?: 'left' | 'right';
  maxLines?: number;
}

export interface TextPlace {
  x: number;
  /** Baseline of the first line. */
  y: number;
  width: number;
}

const lineHeight = 1.35;

/** Draws text of any script on a document. Other people's text is cleaned first. */
export class Pen {
  readonly #document: Document;
  readonly #fonts: PdfFonts;

  constructor(document: Document) {
    this.#document = document;
    this.#fonts = new PdfFonts(document);
  }

  /** @returns the baseline of the line after the text */
  text(text: string, { x, y, width }: TextPlace, style: TextStyle = {}): number {
    const { size = 10, align = 'left', maxLines = 1, color = '#1b1b1f' } = style;
    const { drawable, runsOf } = this.#prepare(text, style);
    const widthOf = (line: string): number => this.#widthOf(runsOf(line), style);
    let baseline = y;
    for (const line of breakLines(drawable.text, { width, maxLines, widthOf })) {
      let left = align === 'right' ? x + width - widthOf(line) : x;
      for (const run of runsOf(line)) {
        this.#use(run, style);
        this.#document
          .fillColor(color)
          .text(run.text, left, baseline, { lineBreak: false, baseline: 'alphabetic' });
        left += this.#document.widthOfString(run.text);
      }
      baseline += size * lineHeight;
    }
    return baseline;
  }

  /** Returns whether letters of a text are replaced, because no font contains them. */
  replacesLetters(text: string): boolean {
    return this.#prepare(text, {}).drawable.isReplaced;
  }

  line(y: number, { from, to, color = '#c8c8d0' }: { from: number; to: number; color?: string }): void {
    this.#document.moveTo(from, y).lineTo(to, y).lineWidth(0.7).strokeColor(color).stroke();
  }

  #prepare(
    text: string,
    { weight = 'regular' }: TextStyle,
  ): { drawable: DrawableText; runsOf(line: string): TextRun[] } {
    const plain = plainText(text);
    const chooseFont = fontChooser(plain, (font, character) => this.#fonts.has(font, weight, character));
    return {
      drawable: drawableText(plain, chooseFont),
      runsOf: (line) => visualRuns(line, chooseFont),
    };
  }

  #widthOf(runs: readonly TextRun[], style: TextStyle): number {
    let width = 0;
    for (const run of runs) {
      this.#use(run, style);
      width += this.#document.widthOfString(run.text);
    }
    return width;
  }

  #use({ font }: TextRun, { weight = 'regular', size = 10 }: TextStyle): void {
    this.#fonts.use(font, weight);
    this.#document.fontSize(size);
  }
}
