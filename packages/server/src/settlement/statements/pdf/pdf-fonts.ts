import { readFileSync } from 'node:fs';
import type PDFDocument from 'pdfkit';
import type { FontName } from './choose-font.ts';

export type Document = InstanceType<typeof PDFDocument>;
export type Weight = 'regular' | 'bold';

const fontFolder = new URL('../../../../fonts/', import.meta.url);
const fontFiles: Readonly<Record<FontName, string>> = {
  latin: 'NotoSans',
  arabic: 'NotoSansArabic',
  hebrew: 'NotoSansHebrew',
  thai: 'NotoSansThai',
  chinese: 'NotoSansSC',
  japanese: 'NotoSansJP',
  korean: 'NotoSansKR',
};
/** Fonts without a bold file, which would be several megabytes for letters that only names have. */
const onlyRegular: ReadonlySet<FontName> = new Set(['chinese', 'japanese', 'korean']);

/** Font as the library opens it for one document. It has no type there. */
interface OpenedFont {
  _tables: object;
  hasGlyphForCodePoint(codePoint: number): boolean;
}

/** Opens fonts for a document. A font that isn't drawn with is not embedded. */
export class PdfFonts {
  readonly #document: Document;
  readonly #opened = new Map<string, OpenedFont>();

  constructor(document: Document) {
    this.#document = document;
  }

  /** Sets the document's font. */
  use(font: FontName, weight: Weight): void {
    const name = nameOf(font, weight);
    this.#open(name);
    this.#document.font(name);
  }

  has(font: FontName, weight: Weight, character: string): boolean {
    return this.#open(nameOf(font, weight)).hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
  }

  #open(name: string): OpenedFont {
    const opened = this.#opened.get(name) ?? open(this.#document, name);
    this.#opened.set(name, opened);
    return opened;
  }
}

const nameOf = (font: FontName, weight: Weight): string =>
  `${fontFiles[font]}-${weight === 'bold' && !onlyRegular.has(font) ? 'Bold' : 'Regular'}`;

const files = new Map<string, Buffer>();
/** Decoded tables of each font. Decoding them takes nine tenths of the time of drawing a file. */
const tables = new Map<string, object>();

/**
 * Adds a font to a document. Its file is read, and its tables are decoded, once for the process's life. Glyphs are not shared,
 * because a file would then depend on the files that were drawn before.
 */
function open(document: Document, name: string): OpenedFont {
  const file = files.get(name) ?? readFileSync(new URL(`${name}.ttf`, fontFolder));
  files.set(name, file);
  document.registerFont(name, file).font(name);
  const { font } = (document as unknown as { _font: { font: OpenedFont } })._font;
  font._tables = tables.get(name) ?? font._tables;
  tables.set(name, font._tables);
  return font;
}
