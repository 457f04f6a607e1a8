import { readFileSync } from 'node:fs';
import type PDFDocument from 'pdfkit';
import { breakLines, plainText, type Script, visualRuns } from './text-runs.ts';

export type Document = InstanceType<typeof PDFDocument>;
export type Weight = 'regular' | 'bold';

const fontFolder = new URL('../../../../fonts/', import.meta.url);
const fontFiles: Readonly<Record<Script, string>> = {
  latin: 'NotoSans',
  arabic: 'NotoSansArabic',
  hebrew: 'NotoSansHebrew',
  thai: 'NotoSansThai',
};

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
  readonly #registered = new Set<string>();

  constructor(document: Document) {
    this.#document = document;
  }

  /** @returns the baseline of the line after the text */
  text(text: string, { x, y, width }: TextPlace, style: TextStyle = {}): number {
    const { size = 10, align = 'left', maxLines = 1, color = '#1b1b1f' } = style;
    const lines = breakLines(plainText(text), {
      width,
      maxLines,
      widthOf: (line) => this.#widthOf(line, style),
    });
    let baseline = y;
    for (const line of lines) {
      let left = align === 'right' ? x + width - this.#widthOf(line, style) : x;
      for (const { text: run, script } of visualRuns(line)) {
        this.#use(script, style);
        this.#document
          .fillColor(color)
          .text(run, left, baseline, { lineBreak: false, baseline: 'alphabetic' });
        left += this.#document.widthOfString(run);
      }
      baseline += size * lineHeight;
    }
    return baseline;
  }

  line(y: number, { from, to, color = '#c8c8d0' }: { from: number; to: number; color?: string }): void {
    this.#document.moveTo(from, y).lineTo(to, y).lineWidth(0.7).strokeColor(color).stroke();
  }

  #widthOf(line: string, style: TextStyle): number {
    let width = 0;
    for (const { text, script } of visualRuns(line)) {
      this.#use(script, style);
      width += this.#document.widthOfString(text);
    }
    return width;
  }

  #use(script: Script, { weight = 'regular', size = 10 }: TextStyle): void {
    const name = `${fontFiles[script]}-${weight === 'bold' ? 'Bold' : 'Regular'}`;
    if (!this.#registered.has(name)) register(this.#document, name);
    this.#registered.add(name);
    this.#document.font(name).fontSize(size);
  }
}

/** Font as the library opens it for one document. It has no type there. */
interface OpenedFont {
  _tables: object;
}

const files = new Map<string, Buffer>();
/** Decoded tables of each font. Decoding them takes nine tenths of the time of drawing a file. */
const tables = new Map<string, object>();

/**
 * Adds a font to a document. Its file is read, and its tables are decoded, once for the process's life. Glyphs are not shared,
 * because a file would then depend on the files that were drawn before.
 */
function register(document: Document, name: string): void {
  const file = files.get(name) ?? readFileSync(new URL(`${name}.ttf`, fontFolder));
  files.set(name, file);
  document.registerFont(name, file).font(name);
  const { font } = (document as unknown as { _font: { font: OpenedFont } })._font;
  font._tables = tables.get(name) ?? font._tables;
  tables.set(name, font._tables);
}
