import { useMediaQuery } from '@mantine/hooks';

/** Tells whether the window is a phone's: narrower than the theme's `sm`, where lists have two lines a row. */
export const useNarrow = (): boolean =>
  useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
