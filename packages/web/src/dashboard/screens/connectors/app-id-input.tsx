import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../../ui/text.ts';

interface AppIdInputProps {
  name: string;
  value: string;
  error: ReactNode;
  onChange(value: string): void;
}

/** Field for the App ID of a game at Steam. */
export const AppIdInput = ({ onChange, ...input }: AppIdInputProps) => (
  <TextInput
    label={t('App ID')}
    description={t('The number in the URL of the game’s Steam store page.')}
    autoComplete="off"
    inputMode="numeric"
    required
    maxLength={20}
    onChange={({ currentTarget: { value } }) => onChange(value)}
    {...input}
  />
);
