import { requireVisible } from '../../platform/inputs.ts';
import { Refusal } from '../../platform/refusal.ts';

/**
 * A name as somebody says it of themselves.
 * @throws Refusal InvalidInput for none, and for one with characters that nobody sees
 */
export function personName(text: string): string {
  const name = text.trim().slice(0, 255);
  if (name === '') throw new Refusal('InvalidInput', 'Say what you are called.', { path: ['name'] });
  requireVisible(name, ['name']);
  return name;
}
