import { expect, test } from 'vitest';
import { accentContrast, accentShades, contrast, minContrast, nearestAccent } from './colors.ts';

test('measures contrast as WCAG does', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#FFFFFF', '#ffffff')).toBe(1);
  expect(accentContrast('#767676')).toBeCloseTo(4.54, 2); // the lightest gray that passes on white
  expect(accentContrast('#777777')).toBeCloseTo(4.48, 2);
});

test('offers the nearest shade that passes, and keeps one that does', () => {
  expect(nearestAccent('#767676')).toBe('#767676');
  expect(nearestAccent('#777777')).toBe('#767676');
});

test('finds shades that pass for every accent, light and dark', () => {
  const steps = [0, 17, 51, 102, 153, 204, 238, 255].map((step) => step.toString(16).padStart(2, '0'));
  for (const red of steps)
    for (const green of steps)
      for (const blue of steps) {
        const accent = nearestAccent(`#${red}${green}${blue}`);
        const { light, dark } = accentShades(accent);
        for (const [one, other] of [
          [accent, '#ffffff'],
          [light.fill, light.ink],
          [dark.fill, dark.ink],
          [dark.fill, '#20272c'],
          [dark.fill, '#161c21'],
        ] as const)
          expect(contrast(one, other), `${accent}: ${one} on ${other}`).toBeGreaterThanOrEqual(minContrast);
      }
});
