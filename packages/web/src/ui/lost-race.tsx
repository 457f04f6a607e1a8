import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiFailure } from './api-failure.ts';
import { Icon } from './icons.tsx';
import { t } from './text.ts';

/** Whether an edit was refused because somebody else was faster. */
export const isLostRace = (error: unknown): boolean =>
  error instanceof ApiFailure && error.status === 409 && error.message.includes('meanwhile');

/** What is saved by now, above the form, which still has what was typed. */
export function LostRace({ children }: { children: ReactNode }) {
  return (
    <Alert color="orange" role="alert" icon={<Icon name="alert" />} title={t('Somebody else was faster')}>
      {t('Nothing of yours was saved. What is saved now:')}
      {children}
      {t('Below is what you typed. Save again to replace theirs by yours.')}
    </Alert>
  );
}
