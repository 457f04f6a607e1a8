import { I18nProvider } from '@lingui/react';
import { MantineProvider } from '@mantine/core';
import { useNotifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { i18n } from '../ui/text.ts';
import { cssVariables, makeTheme } from '../ui/theme/theme.ts';
import { reloadAfterUndo } from '../ui/toast.ts';
import { queryClient } from './query-client.ts';
import { router } from './router.tsx';

reloadAfterUndo(() => queryClient.invalidateQueries());

const Notifications = lazy(() =>
  import('../ui/notifications.tsx').then((found) => ({ default: found.Notifications })),
);

export function Dashboard({ nonce }: { nonce: string }) {
  const [theme] = useState(makeTheme);
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      cssVariablesResolver={cssVariables}
      getStyleNonce={() => nonce}
    >
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={queryClient}>
          <NotificationsOnDemand />
          <RouterProvider router={router} />
        </QueryClientProvider>
      </I18nProvider>
    </MantineProvider>
  );
}

/** Loads the notification component when the first notification is shown. */
function NotificationsOnDemand() {
  const { notifications } = useNotifications();
  const [isNeeded, setNeeded] = useState(false);
  if (notifications.length > 0 && !isNeeded) setNeeded(true);
  return <Suspense>{isNeeded && <Notifications />}</Suspense>;
}
