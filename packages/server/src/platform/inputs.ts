import { Type } from 'typebox';
import { currencyCodes } from './currencies.ts';
import { onlyVisible, storable, visible } from './http/schemas/schemas.ts';
import { type InputPath, Refusal } from './refusal.ts';

// What the inputs of operations have in common, so that every door asks for the same.

/** An object that takes no other properties: what somebody mistyped is refused, not passed over. */
export const closed = { additionalProperties: false } as const;

/** A name that people are shown. */
export const inputName = Type.String({ minLength: 1, maxLength: 255, pattern: visible });

/** An id or a code of the publisher's own, or a name that refers to something; kept as it was sent. */
export const inputReference = Type.String({ minLength: 1, maxLength: 255, pattern: storable });

const visibleText = new RegExp(visible, 'u');

/** @returns whether a text has neither control characters nor any that change the direction of text */
export const isVisible = (text: string): boolean => visibleText.test(text);

/**
 * Refuses a name with characters that nobody sees, where no schema has: control characters, and those that show what
 * follows in another order, so that a name could pass for another one.
 * @throws Refusal InvalidInput
 */
export function requireVisible(name: string, path: InputPath): void {
  if (!isVisible(name)) throw new Refusal('InvalidInput', `A name must have ${onlyVisible}.`, { path });
}

/** @param minimum 0 for shares that stand, 1 for those of a window */
export const inputPercent = (description: string, minimum: 0 | 1 = 0) =>
  Type.Number({ minimum, maximum: 100, description });

export const inputCurrency = Type.String({ enum: [...currencyCodes] });

export const inputGroupId = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: '1 to 64 letters, digits, _ and -',
});
