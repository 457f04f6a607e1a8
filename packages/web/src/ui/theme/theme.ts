import { type CSSVariablesResolver, createTheme } from '@mantine/core';
import { t } from '../text.ts';
import {
  accent,
  dark,
  fontSizes,
  gray,
  green,
  lineHeights,
  mono,
  motion,
  orange,
  radii,
  red,
  sans,
  spacing,
  weights,
  yellow,
} from './tokens.ts';

const small = { transitionProps: { duration: motion.small } };
const large = { transitionProps: { duration: motion.large } };

/** Creates the theme once the language is known, because it contains a few labels. */
export const makeTheme = () =>
  createTheme({
    primaryColor: 'accent',
    primaryShade: 7,
    autoContrast: true,
    luminanceThreshold: 0.179,
    black: gray[9],
    colors: { accent, gray, dark, green, red, orange, yellow },
    fontFamily: sans,
    fontFamilyMonospace: mono,
    fontSizes,
    lineHeights,
    spacing,
    radius: radii,
    headings: {
      fontFamily: sans,
      fontWeight: String(weights.strong),
      sizes: {
        h1: { fontSize: '1.5rem', lineHeight: '1.3' },
        h2: { fontSize: '1.375rem', lineHeight: '1.3' },
        h3: { fontSize: '1.125rem', lineHeight: '1.35' },
        h4: { fontSize: '1rem', lineHeight: '1.4' },
        h5: { fontSize: '0.875rem', lineHeight: '1.45' },
        h6: { fontSize: '0.875rem', lineHeight: '1.45' },
      },
    },
    defaultRadius: 'sm',
    cursorType: 'pointer',
    respectReducedMotion: true,
    components: {
      Tooltip: {
        defaultProps: {
          events: { hover: true, focus: true, touch: true },
          multiline: true,
          maw: 320,
          ...small,
        },
      },
      Modal: {
        defaultProps: {
          centered: true,
          radius: 'md',
          closeButtonProps: { 'aria-label': t('Close') },
          ...large,
        },
      },
      // Within a menu, only menu items may be focusable.
      Menu: { defaultProps: { withInitialFocusPlaceholder: false, ...small } },
      Popover: { defaultProps: small },
      Drawer: { defaultProps: { closeButtonProps: { 'aria-label': t('Close') }, ...large } },
      Paper: { defaultProps: { radius: 'md' } },
      Alert: { defaultProps: { radius: 'md' } },
      Badge: { defaultProps: { radius: 'sm' } },
    },
  });

export const cssVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-error': colors.red[8],
    '--mantine-color-placeholder': colors.gray[7],
    '--mantine-color-default-border': colors.gray[3],
    // Text of a selected link or button under the pointer needs a contrast of 4.5:1, too.
    '--mantine-color-accent-light-hover': accent[1],
    '--surface': '#fff',
    '--surface-quiet': colors.gray[0],
  },
  dark: {
    '--mantine-color-dimmed': colors.dark[1],
    '--mantine-color-error': colors.red[4],
    '--mantine-color-placeholder': colors.dark[1],
    '--mantine-color-default-border': colors.dark[5],
    // The library's own shade is nearly white, so that “Reject” would look like any other button.
    '--mantine-color-red-light-color': colors.red[4],
    '--mantine-color-accent-light': '#0c3a43',
    '--mantine-color-accent-light-hover': '#10444e',
    '--mantine-color-disabled': colors.dark[5],
    '--surface': colors.dark[6],
    '--surface-quiet': colors.dark[8],
  },
});
