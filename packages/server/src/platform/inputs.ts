import { Type } from 'typebox';
import { currencyCodes } from './currencies.ts';
import { onlyVisible, storable, visible } from './http/schemas/schemas.ts';
import { type InputPath, Refusal } from './refusal.ts';

// Schemas shared by the inputs of operations, so that all entry points apply the same rules.

/** Options of an object schema that rejects unknown properties, so that typos aren't silently ignored. */
export const closed = { additionalProperties: false } as const;

export const inputName = Type.String({ minLength: 1, maxLength: 255, pattern: visible });

/**
 * Schema of ids and codes that the publisher chooses, and of names of tiers and SKUs. All are stored as sent.
 */
export const inputReference = Type.String({ minLength: 1, maxLength: 255, pattern: storable });

const visibleText = new RegExp(visible, 'u');

/** Returns whether the text is free of control characters and characters that change the text direction. */
export const isVisible = (text: string): boolean => visibleText.test(text);

/**
 * Rejects a name with control characters or characters that change the text direction, which could make one name look
 * like another. Needed for names that haven't been checked by a schema.
 * @throws Refusal InvalidInput
 */
export function requireVisible(name: string, path: InputPath): void {
  if (!isVisible(name)) throw new Refusal('InvalidInput', `A name must be ${onlyVisible}.`, { path });
}

/** @param minimum 0 for permanent shares, 1 for scheduled shares */
export const inputPercent = (description: string, minimum: 0 | 1 = 0) =>
  Type.Number({ minimum, maximum: 100, description });

export const inputCurrency = Type.String({ enum: [...currencyCodes] });

export const inputGroupId = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: '1 to 64 letters, digits, _ and -',
});
