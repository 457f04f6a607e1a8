import { expect, test } from 'vitest';
import { writeMessage } from './write-message.ts';

const hostile =
  '<!channel> <https://evil.example|Sign in> @everyone **b** `c` [x](https://evil.example) & \u202e';
const content = {
  subject: hostile,
  blocks: [
    hostile,
    { heading: hostile },
    { facts: [[hostile, hostile]] as const },
    {
      table: {
        columns: [{ title: 'USD' }, { title: 'May 4' }, { title: 'Change' }],
        rows: [['Gross', '12.00', hostile]],
      },
    },
  ],
  link: { label: 'Open Overview', url: 'https://creators.example.com/p/aurora/overview?a=1&b=2' },
};

test('names can’t mention anyone, or add links and formatting', () => {
  const slack = JSON.parse(writeMessage('slack', content));
  const sections = slack.blocks.slice(1, -1).map((block: { text: { text: string } }) => block.text.text);
  expect(sections.join('\n')).not.toMatch(/<|@everyone(?= \*\*b\*\*<)/);
  expect(slack.text).toContain('&lt;!channel&gt;');
  expect(slack.blocks[0].text.type).toBe('plain_text');
  const discord = JSON.parse(writeMessage('discord', content));
  expect(discord.allowed_mentions).toEqual({ parse: [] });
  expect(discord.embeds[0].description).not.toMatch(/@everyone|(?<!\\)\[x|(?<!\\)`|(?<!\\)<!/);
  expect(discord.embeds[0].description).toContain('• Gross: **12\\.00**'.replace('\\.', '.'));
});

test('long content stays within the limits of both services', () => {
  const long = {
    ...content,
    subject: 'x'.repeat(900),
    blocks: Array.from({ length: 300 }, () => 'é&'.repeat(900)),
  };
  const slack = JSON.parse(writeMessage('slack', long));
  expect(slack.blocks.length).toBeLessThanOrEqual(50);
  expect(slack.blocks[0].text.text.length).toBeLessThanOrEqual(150);
  for (const block of slack.blocks) expect(block.text.text.length).toBeLessThanOrEqual(3_000);
  const [embed] = JSON.parse(writeMessage('discord', long)).embeds;
  expect(embed.title.length + embed.description.length + embed.footer.text.length).toBeLessThanOrEqual(6_000);
  expect(embed.title.length).toBeLessThanOrEqual(256);
});
