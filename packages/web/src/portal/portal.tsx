import { I18nProvider } from '@lingui/react';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { Announcements } from '../ui/announce.tsx';
import { i18n } from '../ui/text.ts';
import { cssVariables, makeTheme } from '../ui/theme/theme.ts';
import { queryClient } from './api.ts';
import { Shell } from './shell/shell.tsx';

export function Portal({ nonce }: { nonce: string }) {
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
          <Shell />
          <Announcements />
        </QueryClientProvider>
      </I18nProvider>
    </MantineProvider>
  );
}
