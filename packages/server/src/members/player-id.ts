import { Type } from 'typebox';
import { plain } from '../platform/http/schemas/schemas.ts';

export const playerId = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: plain,
  description: "publisher's id for a player, 1 to 255 characters without control characters",
});
