import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { t } from '../../../ui/text.ts';

interface ShownOnceProps {
  about: string;
  hint?: string | false;
  value: string;
  copy: string;
  onClose(): void;
}

export function ShownOnce({ about, hint = false, value, copy, onClose }: ShownOnceProps) {
  return (
    <Stack>
      <Text>{about}</Text>
      <Code block tabIndex={0}>
        {value}
      </Code>
      <Text size="sm">{t('Copy it now. You won’t be able to see it again.')}</Text>
      {hint !== false && <Text size="sm">{hint}</Text>}
      <Group justify="flex-end">
        <CopyButton value={value} label={copy} withLabel />
        <Button onClick={onClose}>{t('Done')}</Button>
      </Group>
    </Stack>
  );
}
