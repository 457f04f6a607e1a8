import { expect, test } from 'vitest';
import type { MailContent } from './mail-content.ts';
import { writeMail } from './write-mail.ts';

const content: MailContent = {
  to: 'mia@example.com',
  brand: {
    name: 'Aurora',
    accent: '#7a1fa2',
    logo: { url: 'https://aurora.example/l.png', width: 960, height: 96 },
  },
  subject: 'Your week',
  blocks: [
    'Two creators joined.',
    { heading: 'Earned' },
    { facts: [['Next payout', '1 August']] },
    {
      table: {
        columns: [{ title: 'Creator' }, { title: 'Earned', isNumber: true }],
        rows: [
          ['Alice', '1,204.50 USD'],
          ['Bob', '7.00 USD'],
        ],
      },
    },
    { button: 'Open Overview', url: 'https://aurora.example/p/aurora/overview?a=1&b=2' },
  ],
  footer: 'You get this mail every Monday.',
  footerLink: { label: 'Turn it off', url: 'https://aurora.example/account' },
};

test('writes the same content as text and as HTML', () => {
  const { text, html } = writeMail(content);
  expect(text).toBe(`Two creators joined.

Earned
------

Next payout: 1 August

Creator        Earned
Alice    1,204.50 USD
Bob          7.00 USD

Open Overview:
https://aurora.example/p/aurora/overview?a=1&b=2

-- 
You get this mail every Monday.
Turn it off: https://aurora.example/account
`);
  for (const part of ['Two creators joined.', '>Earned</h2>', '>1,204.50 USD</td>', '>Turn it off</a>'])
    expect(html).toContain(part);
  expect(html).toContain('href="https://aurora.example/p/aurora/overview?a=1&amp;b=2"');
  // The logo keeps its proportions, and its alternative text is the name.
  expect(html).toContain('<img src="https://aurora.example/l.png" width="240" height="24" alt="Aurora"');
  expect(html).toContain('bgcolor="#7a1fa2"');
});

test('escapes names, puts them on one line and bounds them', () => {
  const hostile = '</title><script>alert("1")</script>\r\nBcc: all@example.com\u202e\u0000\ud800 & \'';
  const { subject, text, html } = writeMail({
    ...content,
    brand: {
      name: hostile,
      accent: null,
      logo: { url: 'https://a.example/"onerror="x', width: 1, height: 9_000 },
    } as never,
    subject: hostile,
    blocks: [
      hostile,
      { heading: hostile },
      { facts: [[hostile, 'x'.repeat(10_000)]] },
      { table: { columns: [{ title: hostile }], rows: [[hostile]] } },
    ],
    footer: hostile,
    footerLink: { label: hostile, url: 'https://aurora.example' },
  });
  expect(html).not.toMatch(/<script|<\/title>.*<\/title>|"onerror="/s);
  expect(html.length).toBeLessThan(20_000);
  for (const part of [subject, text, html]) {
    expect(part).not.toMatch(/[\r\u202e]|^Bcc/m);
    expect(part).not.toContain('\u0000');
    expect(part.isWellFormed()).toBe(true);
  }
  expect(subject).not.toContain('\n');
  expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; Bcc: all@example.com');
});

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  '/relative',
  'https://a.example/ x',
  'https://a.example/"',
])('accepts no link to %s', (url) => {
  expect(() => writeMail({ ...content, blocks: [{ button: 'Open', url }] })).toThrow('http address');
  expect(() => writeMail({ ...content, footerLink: { label: 'x', url } })).toThrow('http address');
});
