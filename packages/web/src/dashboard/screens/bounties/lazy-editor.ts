import { lazy } from 'react';

/** Its many fields are loaded when somebody edits; the drawer waits for them. */
export const BountyEditor = lazy(() =>
  import('./bounty-editor.tsx').then((found) => ({ default: found.BountyEditor })),
);
