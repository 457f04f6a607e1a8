import { I18nProvider } from '@lingui/react';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { i18n } from '../ui/text.ts';
import { cssVariables, makeTheme } from '../ui/theme.ts';
import { queryClient } from './query-client.ts';
import { router } from './router.tsx';

/** The dashboard: looks, texts, data and pages. */
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
          <Notifications position="bottom-right" limit={4} />
          <RouterProvider router={router} />
        </QueryClientProvider>
      </I18nProvider>
    </MantineProvider>
  );
}
