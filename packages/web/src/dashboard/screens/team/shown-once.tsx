import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { t } from '../../../ui/text.ts';

interface ShownOnceProps {
  /** What it is, and what it opens. */
  about: string;
  /** What else to know of it. */
  hint?: string | false;
  value: string;
  copy: string;
  onClose(): void;
}

/** A secret that is shown now and never again. */
export function ShownOnce({ about, hint = false, value, copy, onClose }: ShownOnceProps) {
  return (
    <Stack>
      <Text>{about}</Text>
      <Code block tabIndex={0}>
        {value}
      </Code>
      <Text size="sm">{t('It is shown now and never again.')}</Text>
      {hint !== false && <Text size="sm">{hint}</Text>}
      <Group justify="flex-end">
        <CopyButton value={value} label={copy} withLabel />
        <Button onClick={onClose}>{t('Done')}</Button>
      </Group>
    </Stack>
  );
}
