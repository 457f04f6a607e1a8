import { Type } from 'typebox';
import { accentContrast, minContrast, nearestAccent } from '../../platform/colors.ts';
import { Refusal } from '../../platform/refusal.ts';

export const accentInput = Type.String({
  pattern: '^#[0-9A-Fa-f]{6}$',
  description: `Color as \`#\` and six hexadecimal digits. White text on it must have a contrast of at least ${minContrast}.`,
});

/** Contrast with white, rounded down so that a failing color never appears to pass. */
export const shownContrast = (color: string): number => Math.floor(accentContrast(color) * 100) / 100;

/**
 * @returns the color in lower case
 * @throws Refusal InvalidInput with the nearest shade that passes
 */
export function checkAccent(accent: string): string {
  const color = accent.toLowerCase();
  if (accentContrast(color) < minContrast)
    throw new Refusal(
      'InvalidInput',
      `The accent ${color} has a contrast of ${shownContrast(color)} with white, and text needs ${minContrast}. The nearest shade that passes is ${nearestAccent(color)}.`,
      { path: ['accent'] },
    );
  return color;
}
