import { lazy } from 'react';

/** Lazily loaded `BountyEditor`. Its many fields are loaded on first use. */
export const BountyEditor = lazy(() =>
  import('./bounty-editor.tsx').then((found) => ({ default: found.BountyEditor })),
);
