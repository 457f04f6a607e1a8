import { lazy } from 'react';

/** Dialogs that save, change and remove views, loaded when one of them is first opened. */
export const ViewDialogs = lazy(() =>
  import('./view-dialogs.tsx').then(({ ViewDialogs }) => ({ default: ViewDialogs })),
);
