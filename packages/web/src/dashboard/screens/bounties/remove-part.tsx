import { Button, Group } from '@mantine/core';
import { Icon } from '../../../ui/icons.tsx';
import { t } from '../../../ui/text.ts';

/**
 * Button that removes an objective or reward from the form. Hidden for the only objective and the only
 * reward.
 */
export function RemovePart({ label, onRemove }: { label: string; onRemove: (() => void) | null }) {
  if (onRemove === null) return null;
  return (
    <Group justify="flex-end">
      <Button
        size="xs"
        variant="subtle"
        color="gray"
        aria-label={label}
        leftSection={<Icon name="trash" size={14} />}
        onClick={onRemove}
      >
        {t('Remove')}
      </Button>
    </Group>
  );
}
