import { Button } from '@mantine/core';
import { Icon } from './icons.tsx';
import { t } from './text.ts';

/** Button that pauses or resumes a list that reloads by itself. */
export function PauseButton({
  isPaused,
  onChange,
}: {
  isPaused: boolean;
  onChange(isPaused: boolean): void;
}) {
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Icon name={isPaused ? 'play' : 'pause'} size={14} />}
      onClick={() => onChange(!isPaused)}
    >
      {isPaused ? t('Resume') : t('Pause')}
    </Button>
  );
}
