import { type SelectProps, Stack, Text } from '@mantine/core';
import { roleAbout } from './role-words.ts';

export const roleOption: SelectProps['renderOption'] = ({ option: { value, label } }) => (
  <Stack gap={0}>
    <Text size="sm">{label}</Text>
    <Text size="xs" c="dimmed">
      {roleAbout(value)}
    </Text>
  </Stack>
);
