import { PasswordInput, TextInput } from '@mantine/core';
import { t } from '../../ui/text.ts';

interface FieldProps {
  value: string;
  onChange(value: string): void;
  /** Error message, shown because the forms turn off the browser's validation (`noValidate`). */
  error?: string | undefined;
}

// Browsers and password managers recognize the fields by `name` and `autoComplete`. All fields accept pasted text.

export const EmailField = ({ value, onChange, error }: FieldProps) => (
  <TextInput
    label={t('Email')}
    type="email"
    name="email"
    autoComplete="username"
    required
    value={value}
    error={error}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);

export const PasswordField = ({
  value,
  onChange,
  error,
  isNew = false,
}: FieldProps & { isNew?: boolean }) => (
  <PasswordInput
    label={isNew ? t('New password') : t('Password')}
    description={isNew ? t('At least 12 characters. A sentence works well.') : undefined}
    name="password"
    autoComplete={isNew ? 'new-password' : 'current-password'}
    required
    visibilityToggleButtonProps={{ 'aria-label': t('Show password') }}
    value={value}
    error={error}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);

export const CodeField = ({ value, onChange, error }: FieldProps) => (
  <TextInput
    label={t('Code from your authenticator app, or a recovery code')}
    name="code"
    autoComplete="one-time-code"
    inputMode="numeric"
    required
    data-autofocus
    value={value}
    error={error}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);
