import { lazy } from 'react';

/** Lazily loaded `FirstInGroup`, which most publishers never see. */
export const FirstInGroup = lazy(() =>
  import('./no-purchases.tsx').then((found) => ({ default: found.FirstInGroup })),
);
