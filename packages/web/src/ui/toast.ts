import { notifications } from '@mantine/notifications';
import { t } from './text.ts';

/** Shows a confirmation in the corner of the page for a few seconds, and announces it to screen readers. */
export const toast = (message: string): void =>
  void notifications.show({ message, role: 'status', closeButtonProps: { 'aria-label': t('Close') } });
