import { htmlOf } from './html-of.ts';
import type { MailBlock, MailBrand, MailContent } from './mail-content.ts';
import type { Mail } from './send-mail.ts';
import { textOf } from './text-of.ts';

const productBrand: MailBrand = { name: 'Creator attribution', accent: null, logo: null };

/** Maximum lengths, in characters, so that text entered by users can't make an email unexpectedly long. */
const maxText = 2_000;
const maxCell = 200;
const maxSubject = 200;
const maxRows = 100;

/**
 * Writes an email as text and as HTML with the same content. Each text is put on one line, limited in length and
 * escaped in the HTML, so that a name chosen by a user can't add lines or markup to an email.
 */
export function writeMail({ to, brand, ...content }: MailContent): Mail {
  const { subject, footer, footerLink } = content;
  const written = {
    brand: { ...(brand ?? productBrand), name: oneLine((brand ?? productBrand).name, maxCell) },
    subject: oneLine(subject, maxSubject),
    preheader: oneLine(content.preheader ?? firstParagraph(content.blocks), maxCell),
    blocks: content.blocks.map(bounded),
    footer: oneLine(footer, maxText),
    footerLink: footerLink
      ? { label: oneLine(footerLink.label, maxCell), url: linkable(footerLink.url) }
      : null,
  };
  return { to, subject: written.subject, text: textOf(written), html: htmlOf(written) };
}

const firstParagraph = (blocks: readonly MailBlock[]): string =>
  blocks.find((block) => typeof block === 'string') ?? '';

function bounded(block: MailBlock): MailBlock {
  if (typeof block === 'string') return oneLine(block, maxText);
  if ('heading' in block) return { heading: oneLine(block.heading, maxCell) };
  if ('facts' in block)
    return { facts: block.facts.map(([name, value]) => [oneLine(name, maxCell), oneLine(value, maxCell)]) };
  if ('button' in block) return { button: oneLine(block.button, maxCell), url: linkable(block.url) };
  const { columns, rows } = block.table;
  if (rows.length > maxRows) throw new Error(`a table in an email has at most ${maxRows} rows`);
  return {
    table: {
      columns: columns.map((column) => ({ ...column, title: oneLine(column.title, maxCell) })),
      rows: rows.map((row) => columns.map((_, at) => oneLine(row[at] ?? '', maxCell))),
    },
  };
}

/** Puts text on one line and removes control characters and characters that change the text direction. */
function oneLine(text: string, maxLength: number): string {
  const clean = text
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .toWellFormed()
    .trim();
  const characters = [...clean];
  return characters.length <= maxLength ? clean : `${characters.slice(0, maxLength - 1).join('')}…`;
}

/** Links come from the service itself, never from user input. */
function linkable(url: string): string {
  if (!/^https?:\/\/[^\s<>"]+$/.test(url)) throw new Error('a link in an email must be an http address');
  return url;
}
