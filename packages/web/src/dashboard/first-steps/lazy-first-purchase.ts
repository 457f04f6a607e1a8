import { lazy } from 'react';

/** Loaded where there is no purchase yet. */
export const FirstPurchase = lazy(() =>
  import('./first-purchase.tsx').then((found) => ({ default: found.FirstPurchase })),
);
