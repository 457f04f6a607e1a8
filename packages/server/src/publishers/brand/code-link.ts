import { text } from '../../platform/http/schemas/schemas.ts';
import { Refusal } from '../../platform/refusal.ts';

/** Part of the address that stands for a code. */
const place = '{code}';

const maxLength = 500;

// The rules that a person can break by mistake are in `checkCodeLink`, whose errors say what to do.
export const codeLinkInput = text(
  5_000,
  `Address that creators share their codes with: https, up to ${maxLength} characters, and \`{code}\` where the code belongs, such as \`https://shop.example/?code={code}\`.`,
);

/** @throws Refusal InvalidInput for an address that isn't https, is too long, or has no place for the code */
export function checkCodeLink(codeLink: string): string {
  const link = codeLink.trim();
  const url = /^https:\/\/[\x21-\x7e]+$/.test(link) ? URL.parse(link) : null;
  if (url === null || url.username !== '' || url.host.includes('{'))
    throw wrong(
      'Enter an address that starts with https:// and has no spaces, such as https://shop.example/?code={code}.',
    );
  if (link.length > maxLength) throw wrong(`The address may have up to ${maxLength} characters.`);
  if (link.split(place).length !== 2)
    throw wrong('The address must contain {code} once, where the code belongs.');
  return link;
}

const wrong = (message: string): Refusal => new Refusal('InvalidInput', message, { path: ['codeLink'] });

/** Returns the address to share a code with. */
export const linkOf = (codeLink: string, code: string): string =>
  codeLink.replace(place, encodeURIComponent(code));
