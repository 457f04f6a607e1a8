import { lazy } from 'react';

/** Lazily loaded `FirstPurchase`, which most publishers never see. */
export const FirstPurchase = lazy(() =>
  import('./first-purchase.tsx').then((found) => ({ default: found.FirstPurchase })),
);
