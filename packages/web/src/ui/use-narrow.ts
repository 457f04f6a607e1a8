import { useMediaQuery } from '@mantine/hooks';

/** Returns whether the window is as narrow as a phone (below the theme's `sm`). List rows then have two lines. */
export const useNarrow = (): boolean =>
  useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
