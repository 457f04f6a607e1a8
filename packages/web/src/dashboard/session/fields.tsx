import { PasswordInput, TextInput } from '@mantine/core';
import { t } from '../../ui/text.ts';

interface FieldProps {
  value: string;
  onChange(value: string): void;
}

// Their names and what completes them are how browsers and keepers of passwords know them; all may be pasted into.

export const EmailField = ({ value, onChange }: FieldProps) => (
  <TextInput
    label={t('Email')}
    type="email"
    name="email"
    autoComplete="username"
    required
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);

export const PasswordField = ({ value, onChange, isNew = false }: FieldProps & { isNew?: boolean }) => (
  <PasswordInput
    label={isNew ? t('New password') : t('Password')}
    description={isNew ? t('Twelve characters or more; a sentence is good.') : undefined}
    name="password"
    autoComplete={isNew ? 'new-password' : 'current-password'}
    required
    minLength={isNew ? 12 : undefined}
    visibilityToggleButtonProps={{ 'aria-label': t('Show the password') }}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);

export const CodeField = ({ value, onChange }: FieldProps) => (
  <TextInput
    label={t('Code of your application, or a spare code')}
    name="code"
    autoComplete="one-time-code"
    inputMode="numeric"
    required
    data-autofocus
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);
