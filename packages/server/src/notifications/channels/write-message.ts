import type { MailBlock, MailTable } from '../../platform/mail/mail-content.ts';
import type { Content } from '../content/content.ts';
import type { ChannelKind } from './channel.ts';

// Text may contain names chosen by users. Slack interprets <…> as links and mentions, and Discord interprets Markdown
// and mentions. All text that isn't ours is therefore escaped, and mentions are turned off in Discord.

/** Writes the body of a message to a channel, within Slack's and Discord's limits. */
export const writeMessage = (kind: ChannelKind, content: Content): string =>
  JSON.stringify(kind === 'slack' ? slackMessage(content) : discordMessage(content));

const maxSlackHeader = 150;
const maxSlackSection = 3_000;
const maxSlackBlocks = 50;

function slackMessage({ subject, blocks, link }: Content): object {
  const plain = (text: string): string =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const style: Style = { plain, strong: (text) => `*${text}*` };
  const sections = packed(
    blocks.map((block) => blockText(block, style)),
    maxSlackSection,
  );
  const bounded = sections.slice(0, maxSlackBlocks - 2);
  return {
    // Shown where blocks can't be, such as in notifications.
    text: plain(subject),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: cut(subject, maxSlackHeader), emoji: false } },
      ...bounded.map((text) => ({ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } })),
      { type: 'section', text: { type: 'mrkdwn', text: `<${link.url}|${plain(link.label)}>` } },
    ],
  };
}

const maxDiscordTitle = 256;
/** Discord allows 4,096 characters in a description and 6,000 in the whole embed. */
const maxDiscordText = 4_000;
const discordColor = 0x007080;

function discordMessage({ subject, blocks, link }: Content): object {
  const plain = (text: string): string =>
    text.replace(/[\\*_~`|<>#()[\]-]/g, (character) => `\\${character}`).replaceAll('@', '@\u200b');
  const style: Style = { plain, strong: (text) => `**${text}**` };
  const [text = ''] = packed(
    blocks.map((block) => blockText(block, style)),
    maxDiscordText,
  );
  return {
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: cut(plain(subject), maxDiscordTitle),
        url: link.url,
        description: text,
        color: discordColor,
        footer: { text: link.label },
      },
    ],
  };
}

interface Style {
  plain(text: string): string;
  strong(escaped: string): string;
}

function blockText(block: MailBlock, { plain, strong }: Style): string {
  if (typeof block === 'string') return plain(block);
  if ('heading' in block) return strong(plain(block.heading));
  if ('facts' in block)
    return block.facts.map(([name, value]) => `• ${plain(name)}: ${strong(plain(value))}`).join('\n');
  if ('button' in block) return `${plain(block.button)}: ${block.url}`;
  return tableText(block.table, { plain, strong });
}

/**
 * Writes a table as lines, such as `Gross (+20.0%): 12.00 · May 3: 10.00`, because columns don't fit on a phone
 * screen.
 */
function tableText({ columns, rows }: MailTable, { plain, strong }: Style): string {
  const [first, ...others] = columns;
  const lines = rows.map(([name = '', value = '', ...rest]) => {
    const more = rest.map((cell, at) => `${plain(others[at + 1]?.title ?? '')}: ${plain(cell)}`);
    return [`• ${plain(name)}: ${strong(plain(value))}`, ...more].join(' · ');
  });
  return [strong(plain(first?.title ?? '')), ...lines].join('\n');
}

/** Joins texts into as few parts as the limit allows. Truncates a text that is too long on its own. */
function packed(texts: readonly string[], maxLength: number): string[] {
  const parts: string[] = [];
  for (const text of texts.map((each) => cut(each, maxLength))) {
    const last = parts.at(-1);
    if (last !== undefined && last.length + text.length + 2 <= maxLength)
      parts[parts.length - 1] = `${last}\n\n${text}`;
    else if (text !== '') parts.push(text);
  }
  return parts;
}

const cut = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`;
