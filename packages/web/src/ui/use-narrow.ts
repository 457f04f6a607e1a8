import { useMediaQuery } from '@mantine/hooks';

/** Returns whether the window is as narrow as a phone: below the theme's `sm`, where list rows have two lines. */
export const useNarrow = (): boolean =>
  useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
