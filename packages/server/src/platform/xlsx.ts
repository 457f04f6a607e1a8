import { type ZippedFile, zip } from './zip.ts';

/** Cell of a sheet: text, which is never run or converted, or a number written as decimal digits. */
export type SheetCell = { text: string } | { figure: string };

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const spreadsheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const packageNames = 'http://schemas.openxmlformats.org/package/2006';
const officeNames = 'http://schemas.openxmlformats.org/officeDocument/2006';
const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Longest number that spreadsheets store exactly. A longer one is written as text. */
const maxDigits = 15;
/** Characters that XML can't contain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const unstorable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/**
 * Yields a workbook with one sheet (Office Open XML). Every text cell is typed as text, so that a spreadsheet neither runs
 * it as a formula nor converts it. The same rows and day give the same bytes.
 * @param day UTC day of the files in the workbook
 */
export function workbook(rows: AsyncIterable<readonly SheetCell[]>, day: Date): AsyncGenerator<Uint8Array> {
  const files: ZippedFile[] = [
    {
      name: '[Content_Types].xml',
      pieces: [
        `${declaration}<Types xmlns="${packageNames}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${sheetType}.worksheet+xml"/></Types>`,
      ],
    },
    {
      name: '_rels/.rels',
      pieces: [relationship('officeDocument', 'xl/workbook.xml')],
    },
    {
      name: 'xl/workbook.xml',
      pieces: [
        `${declaration}<workbook xmlns="${spreadsheet}" xmlns:r="${officeNames}/relationships"><sheets><sheet name="Payout" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      ],
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      pieces: [relationship('worksheet', 'worksheets/sheet1.xml')],
    },
    { name: 'xl/worksheets/sheet1.xml', pieces: sheet(rows) },
  ];
  return zip(files, day);
}

const relationship = (type: string, target: string): string =>
  `${declaration}<Relationships xmlns="${packageNames}/relationships"><Relationship Id="rId1" Type="${officeNames}/relationships/${type}" Target="${target}"/></Relationships>`;

async function* sheet(rows: AsyncIterable<readonly SheetCell[]>): AsyncGenerator<string> {
  yield `${declaration}<worksheet xmlns="${spreadsheet}"><sheetData>`;
  for await (const row of rows) yield `<row>${row.map(write).join('')}</row>`;
  yield '</sheetData></worksheet>';
}

function write(cell: SheetCell): string {
  if ('figure' in cell && cell.figure.replaceAll(/\D/g, '').length <= maxDigits)
    return `<c><v>${cell.figure}</v></c>`;
  const text = 'figure' in cell ? cell.figure : cell.text;
  return `<c t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`;
}

const escapeXml = (text: string): string =>
  text
    .replaceAll(unstorable, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
