import { lazy } from 'react';

/** Lazily loaded `NoPurchases`, which most publishers never see. */
export const NoPurchases = lazy(() =>
  import('./no-purchases.tsx').then((found) => ({ default: found.NoPurchases })),
);
