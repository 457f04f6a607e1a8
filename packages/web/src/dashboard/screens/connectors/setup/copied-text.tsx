import { Code, Group, Stack } from '@mantine/core';
import { CopyButton } from '../../../../ui/copy-button.tsx';

interface CopiedTextProps {
  text: string;
  /** Label of the copy button. */
  label: string;
}

/** Text to enter elsewhere, with a button that copies it. */
export const CopiedText = ({ text, label }: CopiedTextProps) => (
  <Stack gap={4}>
    <Code block tabIndex={0} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
      {text}
    </Code>
    <Group justify="flex-end">
      <CopyButton value={text} label={label} withLabel size="xs" />
    </Group>
  </Stack>
);
