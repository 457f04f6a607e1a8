import type { MantineColorsTuple } from '@mantine/core';

/**
 * Design tokens of the dashboard (DESIGN.md). The outline in index.html repeats the colors of the page, its lines and
 * its navigation, because it is drawn before any script runs.
 */

/**
 * The only accent color, a petrol blue. White text has a contrast of 5.8 on shade 7, and shade 7 has 5.4 on shade 0.
 */
export const accent: MantineColorsTuple = [
  '#ecf9fb',
  '#d3f1f7',
  '#ade4f0',
  '#82d3e3',
  '#54bdd1',
  '#2ca4b9',
  '#0b8b9e',
  '#007080',
  '#005c6a',
  '#024550',
];

/** Neutral colors of the light theme, with a hint of the accent. Shade 7 has a contrast of 5.7 on shade 1. */
export const gray: MantineColorsTuple = [
  '#f8fafc',
  '#f2f5f7',
  '#e7eaec',
  '#dadfe2',
  '#c7cdd1',
  '#a1a9af',
  '#737c82',
  '#586269',
  '#3a444b',
  '#1d272d',
];

/**
 * Neutral colors of the dark theme, chosen for it rather than inverted: the page is shade 7, and surfaces on it are
 * lighter. Shade 1, used for secondary text, has a contrast of 7.3 on shade 6.
 */
export const dark: MantineColorsTuple = [
  '#e5e8eb',
  '#afb5ba',
  '#8c9399',
  '#626a71',
  '#3d454c',
  '#30383e',
  '#20272c',
  '#161c21',
  '#0f1419',
  '#090e12',
];

// State colors. They replace the library's own, which have too little contrast (below 4.5:1) in two places: as text on
// their lightest shade, and in their eighth shade behind white text (measured: green 3.45, orange 3.58).
export const green: MantineColorsTuple = [
  '#ebfbee',
  '#d3f9d8',
  '#b2f2bb',
  '#8ce99a',
  '#69db7c',
  '#4bc161',
  '#37a04a',
  '#2b833c',
  '#216c30',
  '#195a27',
];
export const red: MantineColorsTuple = [
  '#fff5f5',
  '#ffe3e3',
  '#ffc9c9',
  '#ffa8a8',
  '#ff8787',
  '#f0625f',
  '#dd4444',
  '#c62f33',
  '#a92529',
  '#8a1c20',
];
export const orange: MantineColorsTuple = [
  '#fff4e6',
  '#ffe8cc',
  '#ffd8a8',
  '#ffc078',
  '#ffa94d',
  '#f78a23',
  '#df6a0c',
  '#c05208',
  '#a34306',
  '#883705',
];
export const yellow: MantineColorsTuple = [
  '#fff9db',
  '#fff3bf',
  '#ffec99',
  '#ffe066',
  '#fcd034',
  '#e0ac0f',
  '#b98605',
  '#946804',
  '#7a5503',
  '#664602',
];

/** Typefaces. Letters that the bundled font lacks, as in people's names, come from the system. */
export const sans =
  '"Figtree Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif';
export const mono =
  'ui-monospace, "Cascadia Mono", "SF Mono", "Noto Sans Mono", "Liberation Mono", "DejaVu Sans Mono", monospace';

/**
 * Font weights: one for text, and one for what readers should see first (headings, main figures, buttons, the selected
 * entry).
 */
export const weights = { regular: 400, strong: 600 } as const;

export const fontSizes = { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' };
export const lineHeights = { xs: '1.4', sm: '1.45', md: '1.45', lg: '1.5', xl: '1.3' };
export const spacing = { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' };
export const radii = { xs: '0.25rem', sm: '0.375rem', md: '0.625rem', lg: '0.875rem', xl: '2rem' };

/** Durations of opening animations, in milliseconds. Readers who prefer reduced motion see no animations. */
export const motion = { small: 120, large: 160 } as const;
