import { requireVisible } from '../../platform/inputs.ts';
import { Refusal } from '../../platform/refusal.ts';

/**
 * Trims and validates a person's name.
 * @throws Refusal InvalidInput for an empty name or a name with invisible characters
 */
export function personName(text: string): string {
  const name = text.trim().slice(0, 255);
  if (name === '') throw new Refusal('InvalidInput', 'A name is required.', { path: ['name'] });
  requireVisible(name, ['name']);
  return name;
}
