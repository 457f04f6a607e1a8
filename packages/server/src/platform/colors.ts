/** Minimum contrast for text, from WCAG 2.2 (1.4.3). */
export const minContrast = 4.5;

type Channels = readonly [red: number, green: number, blue: number];

const white = '#ffffff';
const black = '#000000';
/** Page background of the dark theme, the lightest surface that accents are drawn on in dark mode. */
const darkPage = '#20272c';
/** Text color on an accent in dark mode, where accents are light. */
const darkInk = '#0f1419';

/**
 * Colors of a button or link in one theme. The text on the fill and the fill on the page both have at least
 * `minContrast`.
 */
export interface AccentShades {
  fill: string;
  ink: string;
}

/** @param color '#' and six hexadecimal digits */
const channelsOf = (color: string): Channels => {
  const channel = (at: number): number => Number.parseInt(color.slice(at, at + 2), 16);
  return [channel(1), channel(3), channel(5)];
};

/** Returns the relative luminance as defined by WCAG, 0 to 1. */
function luminance(color: string): number {
  const [red, green, blue] = channelsOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast of two colors as defined by WCAG, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Returns the contrast of an accent with white, which is the color of both the light page and the text on buttons. */
export const accentContrast = (color: string): number => contrast(color, white);

/**
 * Returns the nearest shade with enough contrast on white: the color itself, or the color mixed with as little black as
 * possible, which preserves its hue.
 */
export const nearestAccent = (color: string): string =>
  nearest(color, black, (shade) => accentContrast(shade) >= minContrast);

/** @param accent a color with enough contrast on white */
export const accentShades = (accent: string): { light: AccentShades; dark: AccentShades } => ({
  light: { fill: accent, ink: white },
  dark: {
    fill: nearest(
      accent,
      white,
      (shade) => contrast(shade, darkPage) >= minContrast && contrast(shade, darkInk) >= minContrast,
    ),
    ink: darkInk,
  },
});

function nearest(color: string, toward: string, passes: (shade: string) => boolean): string {
  for (let share = 0; share < 256; share += 1) {
    const shade = mix(color, toward, share / 256);
    if (passes(shade)) return shade;
  }
  return toward;
}

function mix(color: string, other: string, share: number): string {
  const to = channelsOf(other);
  const mixed = channelsOf(color).map((from, at) => Math.round(from + ((to[at] ?? 0) - from) * share));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
