import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';
import { t } from './text.ts';

const sans =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", "DejaVu Sans", Arial, sans-serif';
const mono =
  'ui-monospace, "Cascadia Mono", "Noto Sans Mono", "Liberation Mono", "DejaVu Sans Mono", monospace';

// These colors replace the library's own, which have too little contrast (below 4.5:1) in two places: as text
// on their lightest shade, and in their eighth shade behind white text (measured: green 3.45, orange 3.58,
// teal 3.95).
const green: MantineColorsTuple = [
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
const orange: MantineColorsTuple = [
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
const yellow: MantineColorsTuple = [
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
const teal: MantineColorsTuple = [
  '#e6fcf5',
  '#c3fae8',
  '#96f2d7',
  '#63e6be',
  '#38d9a9',
  '#1cb98b',
  '#0f9a72',
  '#0a7f5d',
  '#08694d',
  '#065740',
];

/** Creates the theme once the language is known, because it contains a few labels. */
export const makeTheme = () =>
  createTheme({
    primaryColor: 'blue',
    primaryShade: 8,
    autoContrast: true,
    luminanceThreshold: 0.179,
    colors: { green, orange, yellow, teal },
    fontFamily: sans,
    fontFamilyMonospace: mono,
    headings: { fontFamily: sans, fontWeight: '600' },
    defaultRadius: 'sm',
    cursorType: 'pointer',
    respectReducedMotion: true,
    components: {
      Tooltip: {
        defaultProps: { events: { hover: true, focus: true, touch: true }, multiline: true, maw: 320 },
      },
      Modal: { defaultProps: { centered: true, closeButtonProps: { 'aria-label': t('Close') } } },
      // Within a menu, only menu items may be focusable.
      Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
      Drawer: { defaultProps: { closeButtonProps: { 'aria-label': t('Close') } } },
    },
  });

export const cssVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-error': colors.red[9],
    '--mantine-color-placeholder': colors.gray[7],
    // In the library's own color, the text of a selected link or button under the pointer has a contrast of
    // only 4.01:1.
    '--mantine-color-blue-light-hover': colors.blue[1],
  },
  dark: {
    '--mantine-color-dimmed': colors.dark[1],
    '--mantine-color-error': colors.red[4],
    '--mantine-color-placeholder': colors.dark[1],
  },
});
