import { accentShades } from '../colors.ts';
import type { MailBlock, MailBrand, MailTable, WrittenMail } from './mail-content.ts';

// Mail clients ignore most CSS, some ignore style sheets, and Outlook renders with Word. Everything needed to read an
// email is therefore in tables and style attributes. The style sheet only adds dark mode; clients that don't support it
// use their own dark colors.

const productAccent = '#007080';
const sans = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const ink = '#1d272d';
const quiet = '#586269';
const line = '#dadfe2';

/** Box that logos are drawn into, whatever their size. */
const logoBox = { width: 240, height: 48 };

const layout = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';

export function htmlOf({ brand, subject, preheader, blocks, footer, footerLink }: WrittenMail): string {
  const { light, dark } = accentShades(brand.accent ?? productAccent);
  const link =
    footerLink === null
      ? ''
      : ` <a href="${escaped(footerLink.url)}" class="quiet" style="color:${quiet};text-decoration:underline">${escaped(footerLink.label)}</a>`;
  return `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${escaped(subject)}</title>
<style>
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background:#161c21!important}
.card{background:#20272c!important;border-color:#3d454c!important}
.ink,.name{color:#e5e8eb!important}
.quiet{color:#afb5ba!important}
.line{border-color:#3d454c!important}
.plate{background:#fff!important;padding:6px 8px!important}
.bar{background:${dark.fill}!important;border-color:${dark.fill}!important}
.button,.button a{background:${dark.fill}!important;color:${dark.ink}!important}
}
@media (max-width:480px){.pad{padding-left:20px!important;padding-right:20px!important}}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f2f5f7;-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;max-width:0;overflow:hidden;opacity:0">${escaped(preheader)}${'&#847;&zwnj;&nbsp;'.repeat(40)}</div>
<table ${layout} width="100%" class="page" style="background:#f2f5f7"><tr><td align="center" style="padding:24px 12px">
<!--[if mso]><table ${layout} width="560"><tr><td><![endif]-->
<table ${layout} width="100%" class="card" style="max-width:560px;background:#ffffff;border:1px solid ${line};border-radius:10px;border-collapse:separate;overflow:hidden">
<tr><td height="4" class="bar" style="height:4px;line-height:4px;font-size:0;background:${light.fill}">&nbsp;</td></tr>
<tr><td class="pad" style="padding:24px 32px 0">${faceOf(brand)}</td></tr>
<tr><td class="pad" style="padding:20px 32px 8px"><h1 class="ink" style="margin:0 0 16px;font:600 20px/1.3 ${sans};color:${ink};word-break:break-word">${escaped(subject)}</h1>
${blocks.map((block) => blockHtml(block, light.fill)).join('\n')}
</td></tr>
<tr><td class="pad" style="padding:0 32px 24px"><p class="quiet line" style="margin:8px 0 0;padding-top:16px;border-top:1px solid ${line};font:13px/1.5 ${sans};color:${quiet};word-break:break-word">${escaped(footer)}${link}</p></td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
`;
}

/** Logos are shown on a white background, because many are designed for a white page. */
function faceOf({ name, logo }: MailBrand): string {
  if (logo === null)
    return `<div class="name" style="font:600 16px/1.4 ${sans};color:${ink};word-break:break-word">${escaped(name)}</div>`;
  const scale = Math.min(logoBox.width / logo.width, logoBox.height / logo.height);
  const [width, height] = [logo.width, logo.height].map((size) => Math.max(1, Math.round(size * scale)));
  return `<table ${layout}><tr><td class="plate" style="background:#ffffff;border-radius:6px"><img src="${escaped(logo.url)}" width="${width}" height="${height}" alt="${escaped(name)}" style="display:block;border:0;max-width:100%;width:${width}px;height:auto;font:600 16px/1.4 ${sans};color:${ink}"></td></tr></table>`;
}

function blockHtml(block: MailBlock, fill: string): string {
  if (typeof block === 'string')
    return `<p class="ink" style="margin:0 0 16px;font:15px/1.55 ${sans};color:${ink};word-break:break-word">${escaped(block)}</p>`;
  if ('heading' in block)
    return `<h2 class="ink" style="margin:24px 0 8px;font:600 16px/1.4 ${sans};color:${ink};word-break:break-word">${escaped(block.heading)}</h2>`;
  if ('facts' in block) return factsHtml(block.facts);
  if ('button' in block) return buttonHtml(block.button, block.url, fill);
  return tableHtml(block.table);
}

/** The URL is also shown below the button, so that readers can check it, and copy it if the button doesn't work. */
const buttonHtml = (label: string, url: string, fill: string): string =>
  `<table ${layout} style="margin:8px 0 12px"><tr><td class="button" bgcolor="${fill}" style="border-radius:6px;background:${fill}"><a href="${escaped(url)}" style="display:inline-block;padding:12px 22px;font:600 15px/1.3 ${sans};color:#ffffff;text-decoration:none;border-radius:6px">${escaped(label)}</a></td></tr></table>
<p class="quiet" style="margin:0 0 16px;font:13px/1.5 ${sans};color:${quiet};word-break:break-all">${escaped(url)}</p>`;

const factsHtml = (facts: readonly (readonly [string, string])[]): string =>
  `<table ${layout} width="100%" style="margin:0 0 16px">${facts
    .map(
      ([name, value]) =>
        `<tr><td class="quiet" valign="top" style="padding:4px 16px 4px 0;font:14px/1.45 ${sans};color:${quiet}">${escaped(name)}</td><td class="ink" valign="top" width="65%" style="padding:4px 0;font:600 14px/1.45 ${sans};color:${ink};word-break:break-word">${escaped(value)}</td></tr>`,
    )
    .join('')}</table>`;

function tableHtml({ columns, rows }: MailTable): string {
  const cell = (tag: 'td' | 'th', text: string, at: number): string => {
    const isNumber = columns[at]?.isNumber === true;
    const align = isNumber ? 'right' : 'left';
    const isHead = tag === 'th';
    return `<${tag} class="${isHead ? 'quiet' : 'ink'} line" align="${align}" valign="top"${isHead ? ' scope="col"' : ''} style="padding:8px ${at === columns.length - 1 ? 0 : 12}px 8px 0;border-bottom:1px solid ${line};font:${isHead ? '13px' : '14px'}/1.45 ${sans};font-variant-numeric:tabular-nums;text-align:${align};color:${isHead ? quiet : ink};${isNumber ? 'white-space:nowrap' : 'word-break:break-word;min-width:72px'}">${escaped(text)}</${tag}>`;
  };
  const row = (tag: 'td' | 'th', cells: readonly string[]): string =>
    `<tr>${cells.map((text, at) => cell(tag, text, at)).join('')}</tr>`;
  return `<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px;border-collapse:collapse">${row(
    'th',
    columns.map(({ title }) => title),
  )}${rows.map((cells) => row('td', cells)).join('')}</table>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
