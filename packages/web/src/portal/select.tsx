import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import { Icon } from '../ui/icons.tsx';

/** The phone's own choice, drawn like the portal's other fields and like the choice of the publisher. */
export const Select = (props: NativeSelectProps) => (
  <NativeSelect size="md" rightSection={<Icon name="down" />} {...props} />
);
