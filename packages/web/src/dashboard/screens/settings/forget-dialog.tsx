import { Stack, Text } from '@mantine/core';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { t } from '../../../ui/text.ts';
import { typedCount } from '../../../ui/typed-total.tsx';

interface ForgetDialogProps {
  days: number;
  onClose(): void;
  onConfirm(): Promise<void>;
}

/**
 * Asks for confirmation before a change that makes the service forget buyers sooner. Forgetting can't be
 * undone.
 */
export const ForgetDialog = ({ days, onClose, onConfirm }: ForgetDialogProps) => (
  <ConfirmDialog
    opened
    onClose={onClose}
    title={t('Remove buyer data after {days, plural, one {# day} other {# days}}?', { days })}
    action={t('Remove buyer data')}
    typed={typedCount(days)}
    isDangerous
    onConfirm={onConfirm}
  >
    <Stack gap="xs">
      <Text size="sm">
        {t(
          'Within an hour, the buyer’s ID and name are removed from all older purchases, and then daily. You can no longer find those purchases by buyer.',
        )}
      </Text>
      <Text size="sm">{t('Earnings, payouts, and totals don’t change.')}</Text>
    </Stack>
  </ConfirmDialog>
);
