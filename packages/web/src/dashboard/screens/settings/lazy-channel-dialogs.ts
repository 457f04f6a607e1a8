import { lazy } from 'react';

/** Lazily loaded channel form, which is built as its own file. */
export const ChannelForm = lazy(() =>
  import('./channel-form.tsx').then((found) => ({ default: found.ChannelForm })),
);
export const ChannelTestDialog = lazy(() =>
  import('./channel-test.tsx').then((found) => ({ default: found.ChannelTestDialog })),
);
