import { type SelectProps, Stack, Text } from '@mantine/core';
import { roleAbout } from './role-words.ts';

/** A role to choose, with what it is for. */
export const roleOption: SelectProps['renderOption'] = ({ option: { value, label } }) => (
  <Stack gap={0}>
    <Text size="sm">{label}</Text>
    <Text size="xs" c="dimmed">
      {roleAbout(value)}
    </Text>
  </Stack>
);
