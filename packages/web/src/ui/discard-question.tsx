import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useEscape } from './escape.ts';
import { t } from './text.ts';

interface DiscardQuestionProps {
  opened: boolean;
  onKeep(): void;
  onDiscard(): void;
}

export function DiscardQuestion({ opened, onKeep, onDiscard }: DiscardQuestionProps) {
  useEscape(opened, onKeep);
  return (
    <Modal
      opened={opened}
      onClose={onKeep}
      closeOnEscape={false}
      zIndex={300}
      title={t('Discard your changes?')}
      data-confirm
    >
      <Stack>
        <Text size="sm">{t('Your changes haven’t been saved.')}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onKeep} data-autofocus>
            {t('Keep editing')}
          </Button>
          <Button color="red" onClick={onDiscard}>
            {t('Discard changes')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
