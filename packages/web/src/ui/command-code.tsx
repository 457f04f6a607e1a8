import { Code, Group, Stack } from '@mantine/core';
import { CopyButton } from './copy-button.tsx';
import { t } from './text.ts';

/** Command to paste into a terminal, with a button that copies it. */
export const CommandCode = ({ value }: { value: string }) => (
  <Stack gap={4} w="100%" maw={720} align="stretch" ta="start">
    <Code block tabIndex={0}>
      {value}
    </Code>
    <Group justify="flex-end">
      <CopyButton value={value} label={t('Copy command')} withLabel />
    </Group>
  </Stack>
);
