import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../../ui/dialog.tsx';
import { t } from '../../../ui/text.ts';
import { actionOf, type Kind } from './change-dialog.tsx';

interface CodesDialogProps {
  opened: boolean;
  /** Where the codes are looked for. */
  groupName: string;
  /** What the role may do with them. */
  kinds: readonly Kind[];
  onClose(): void;
  onChoose(codes: readonly string[], kind: Kind): void;
}

const most = 1_000;

/** Takes codes as they stand in a message or a table, and asks what to do with their creators. */
export function CodesDialog({ opened, groupName, kinds, onClose, onChoose }: CodesDialogProps) {
  const [text, setText] = useState('');
  const codes = [...new Set(text.split(/[\s,;]+/).filter((code) => code !== ''))];
  const isTooMany = codes.length > most;
  return (
    <Dialog opened={opened} onClose={onClose} title={t('Creators by their codes')} size="lg">
      <Stack>
        <Textarea
          label={t('Codes')}
          description={t(
            'Pasted from anywhere, with spaces, commas or lines between them. Of the group {groupName}.',
            {
              groupName,
            },
          )}
          value={text}
          autosize
          minRows={6}
          maxRows={14}
          data-autofocus
          spellCheck={false}
          error={isTooMany ? t('At most {most} at once.', { most }) : undefined}
          onChange={({ currentTarget: { value } }) => setText(value)}
        />
        <Group justify="space-between">
          <Text size="sm" c="dimmed" role="status">
            {t('{count, plural, =0 {No code yet} one {# code} other {# codes}}', { count: codes.length })}
          </Text>
          <Group gap="xs">
            {kinds.map((kind) => (
              <Button
                key={kind}
                variant={kind === 'approve' ? 'filled' : 'default'}
                disabled={codes.length === 0 || isTooMany}
                onClick={() => onChoose(codes, kind)}
              >
                {actionOf(kind)}
              </Button>
            ))}
          </Group>
        </Group>
      </Stack>
    </Dialog>
  );
}
