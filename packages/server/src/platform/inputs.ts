import { Type } from 'typebox';
import { currencyCodes } from './currencies.ts';
import { storable } from './http/schemas/schemas.ts';

// What the inputs of operations have in common, so that every door asks for the same.

/** An object that takes no other properties: what somebody mistyped is refused, not passed over. */
export const closed = { additionalProperties: false } as const;

export const inputName = Type.String({ minLength: 1, maxLength: 255, pattern: storable });

/** @param minimum 0 for shares that stand, 1 for those of a window */
export const inputPercent = (description: string, minimum: 0 | 1 = 0) =>
  Type.Number({ minimum, maximum: 100, description });

export const inputCurrency = Type.String({ enum: [...currencyCodes] });

export const inputGroupId = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: '1 to 64 letters, digits, _ and -',
});
