import { lazy } from 'react';

/** Lazily loaded group form, which other screens need only for a publisher without groups. */
export const GroupEditor = lazy(() =>
  import('./shares/group-editor.tsx').then((found) => ({ default: found.GroupEditor })),
);
