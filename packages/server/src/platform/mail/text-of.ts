import type { MailBlock, MailTable, WrittenMail } from './mail-content.ts';

/** Writes an email as plain text, which any mail client can display and which can't hide a link's address. */
export function textOf({ blocks, footer, footerLink }: WrittenMail): string {
  const parts = blocks.map(blockText);
  const end = footerLink === null ? footer : `${footer}\n${footerLink.label}: ${footerLink.url}`;
  return `${[...parts, `-- \n${end}`].join('\n\n')}\n`;
}

function blockText(block: MailBlock): string {
  if (typeof block === 'string') return block;
  if ('heading' in block) return `${block.heading}\n${'-'.repeat([...block.heading].length)}`;
  if ('facts' in block) return block.facts.map(([name, value]) => `${name}: ${value}`).join('\n');
  if ('button' in block) return `${block.button}:\n${block.url}`;
  return tableText(block.table);
}

function tableText({ columns, rows }: MailTable): string {
  const titles = columns.map(({ title }) => title);
  const widths = columns.map((_, at) => Math.max(...[titles, ...rows].map((row) => widthOf(row[at]))));
  return [titles, ...rows]
    .map((row) =>
      columns
        .map(({ isNumber }, at) => {
          const gap = ' '.repeat((widths[at] ?? 0) - widthOf(row[at]));
          return isNumber ? `${gap}${row[at]}` : `${row[at]}${gap}`;
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const widthOf = (text = ''): number => [...text].length;
