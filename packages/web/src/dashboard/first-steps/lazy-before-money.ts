import { lazy } from 'react';

/** Lazily loaded `BeforeMoney`, which most publishers never see. */
export const BeforeMoney = lazy(() =>
  import('./first-purchase.tsx').then((found) => ({ default: found.BeforeMoney })),
);
