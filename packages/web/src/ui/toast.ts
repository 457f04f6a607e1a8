import { notifications } from '@mantine/notifications';
import { t } from './text.ts';

/** Confirms in a corner of the page, for some seconds and aloud, what was done. */
export const toast = (message: string): void =>
  void notifications.show({ message, role: 'status', closeButtonProps: { 'aria-label': t('Close') } });
