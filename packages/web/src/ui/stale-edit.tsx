import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { codeOf } from './api-failure.ts';
import { Icon } from './icons.tsx';
import { t } from './text.ts';

/** Returns whether an edit was rejected because someone else saved first. */
export const isStaleEdit = (error: unknown): boolean => codeOf(error) === 'Stale';

/** Notice with the saved values, shown above a form that still contains the reader's changes. */
export function StaleEditNotice({ children }: { children: ReactNode }) {
  return (
    <Alert
      color="orange"
      role="alert"
      icon={<Icon name="alert" />}
      title={t('Someone else changed this first')}
    >
      {t('Your changes weren’t saved. The saved values are:')}
      {children}
      {t('Your changes are below. Save again to replace the saved values.')}
    </Alert>
  );
}
