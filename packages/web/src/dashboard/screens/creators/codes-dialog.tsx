import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../../ui/dialog.tsx';
import { t } from '../../../ui/text.ts';
import { actionOf, type Kind } from './change-dialog.tsx';

interface CodesDialogProps {
  opened: boolean;
  /** Name of the group in which the codes are looked up. */
  groupName: string;
  kinds: readonly Kind[];
  onClose(): void;
  onChoose(codes: readonly string[], kind: Kind): void;
}

const maxCodes = 1_000;

/** Dialog for codes pasted from a message or a table. Offers actions for their creators. */
export function CodesDialog({ opened, groupName, kinds, onClose, onChoose }: CodesDialogProps) {
  const [text, setText] = useState('');
  const codes = [...new Set(text.split(/[\s,;]+/).filter((code) => code !== ''))];
  const isTooMany = codes.length > maxCodes;
  return (
    <Dialog opened={opened} onClose={onClose} title={t('Find creators by code')} size="lg">
      <Stack>
        <Textarea
          label={t('Codes')}
          description={t(
            'Paste codes from the group {groupName}, separated by spaces, commas or new lines.',
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
          error={isTooMany ? t('Enter at most {maxCodes} codes.', { maxCodes }) : undefined}
          onChange={({ currentTarget: { value } }) => setText(value)}
        />
        <Group justify="space-between">
          <Text size="sm" c="dimmed" role="status">
            {t('{count, plural, =0 {No codes} one {# code} other {# codes}}', { count: codes.length })}
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
