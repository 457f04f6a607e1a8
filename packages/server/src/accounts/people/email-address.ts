import { isVisible } from '../../platform/inputs.ts';
import { Refusal } from '../../platform/refusal.ts';

/**
 * Loose pattern for an email address: one @, no spaces. Only sending an email proves that the address works.
 */
const shape = /^[^\s@<>",;]{1,64}@[^\s@<>",;]{1,189}$/;

/**
 * Normalizes an email address for storage and comparison.
 * @throws Refusal InvalidInput
 */
export function emailAddress(text: string): string {
  const address = text.trim().toLowerCase();
  if (shape.test(address) && isVisible(address)) return address;
  throw new Refusal('InvalidInput', 'The email address is invalid.', { path: ['email'] });
}
