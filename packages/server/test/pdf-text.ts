/** Text that a PDF file draws, as readers of the file extract it. */
export interface PdfText {
  /** Texts in the order in which they are drawn, one for each font and direction of a line. */
  pieces: string[];
  /** Names of the embedded fonts, such as `NotoSans-Regular`. */
  fonts: string[];
  /** Number of boxes that stand for letters without a glyph. */
  boxes: number;
}

/** Reads an uncompressed file of pdfkit: glyphs are two bytes, and each font has a table of their characters. */
export function textOfPdf(file: Buffer): PdfText {
  const text = file.toString('latin1');
  const objects = new Map(
    [...text.matchAll(/^(\d+) 0 obj\n([\s\S]*?)\nendobj/gm)].map(([, id = '', body = '']) => [id, body]),
  );
  const fonts = new Map<string, { characters: Map<string, string>; name: string }>();
  for (const [, name = '', id = ''] of text.matchAll(/^\/(F\d+) (\d+) 0 R$/gm)) {
    const font = objects.get(id) ?? '';
    fonts.set(name, {
      characters: charactersIn(objects.get(/\/ToUnicode (\d+)/.exec(font)?.[1] ?? '') ?? ''),
      name: /\/BaseFont \/[A-Z]{6}\+(\S+)/.exec(font)?.[1] ?? '',
    });
  }
  const pieces: string[] = [];
  let boxes = 0;
  for (const [, name = '', shown = ''] of text.matchAll(/^\/(F\d+) [\d.]+ Tf$([\s\S]*?)^ET$/gm)) {
    const drawn = [...shown.matchAll(/^\[(.*)\] TJ$/gm)]
      .flatMap(([, runs = '']) => [...runs.matchAll(/<([0-9a-f]*)>/g)])
      .flatMap(([, glyphs = '']) => glyphs.match(/.{4}/g) ?? []);
    boxes += drawn.filter((glyph) => glyph === '0000').length;
    pieces.push(drawn.map((glyph) => fonts.get(name)?.characters.get(glyph) ?? '').join(''));
  }
  return { pieces, fonts: [...fonts.values()].map(({ name }) => name).sort(), boxes };
}

/** Reads a font's table, which lists the characters of consecutive glyphs as UTF-16. */
function charactersIn(table: string): Map<string, string> {
  const characters = new Map<string, string>();
  for (const [, first = '', list = ''] of table.matchAll(/^<([0-9a-f]{4})> <[0-9a-f]{4}> \[(.*)\]$/gm))
    for (const [at, [, hex = '']] of [...list.matchAll(/<([0-9a-f ]*)>/g)].entries())
      characters.set(
        (Number.parseInt(first, 16) + at).toString(16).padStart(4, '0'),
        String.fromCharCode(...(hex.match(/[0-9a-f]{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16))),
      );
  return characters;
}
