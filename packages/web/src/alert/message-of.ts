import type { ShownPurchase } from '../client/portal/types.gen.ts';

/** Characters of a message that are shown. The product's text is the publisher's, and may be long. */
const maxLength = 240;

/**
 * Returns the text that is shown for a purchase, or for a test.
 * @param template the creator's text, with placeholders
 */
export function messageOf(template: string, { product, code }: ShownPurchase): string {
  const values: Readonly<Record<string, string>> = { '{product}': product, '{code}': code ?? 'TEST' };
  const text = template.replace(/\{(?:product|code)\}/g, (placeholder) => values[placeholder] ?? placeholder);
  const characters = [...text];
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : text;
}
