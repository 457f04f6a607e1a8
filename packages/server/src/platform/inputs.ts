import { Type } from 'typebox';
import { currencyCodes } from './currencies.ts';
import { onlyVisible, storable, visible } from './http/schemas/schemas.ts';
import { type InputPath, Refusal } from './refusal.ts';

// Schemas shared by the inputs of operations, so that all entry points apply the same rules.

/** Options of an object schema that rejects unknown properties, so that a typo is not silently ignored. */
export const closed = { additionalProperties: false } as const;

/** Schema of a name that is shown to people. */
export const inputName = Type.String({ minLength: 1, maxLength: 255, pattern: visible });

/** Schema of the publisher's own ids and codes, and of names that refer to something. They are stored as sent. */
export const inputReference = Type.String({ minLength: 1, maxLength: 255, pattern: storable });

const visibleText = new RegExp(visible, 'u');

/**
 * Returns whether the text contains neither control characters nor characters that change the direction of
 * text.
 */
export const isVisible = (text: string): boolean => visibleText.test(text);

/**
 * Rejects a name that contains invisible characters: control characters, and characters that change the
 * direction of text, which could make one name look like another. For names that no schema has checked.
 * @throws Refusal InvalidInput
 */
export function requireVisible(name: string, path: InputPath): void {
  if (!isVisible(name)) throw new Refusal('InvalidInput', `A name must be ${onlyVisible}.`, { path });
}

/** Returns the schema of a percentage. @param minimum 0 for permanent shares, 1 for scheduled shares */
export const inputPercent = (description: string, minimum: 0 | 1 = 0) =>
  Type.Number({ minimum, maximum: 100, description });

export const inputCurrency = Type.String({ enum: [...currencyCodes] });

export const inputGroupId = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: '1 to 64 letters, digits, _ and -',
});
