import { PasswordInput, TextInput } from '@mantine/core';
import { t } from '../../ui/text.ts';

interface FieldProps {
  value: string;
  onChange(value: string): void;
  /** What it lacks, in our words: the forms have the browser say nothing (`noValidate`). */
  error?: string | undefined;
}

/** What an address, a password or a code lacks; null for nothing. */
export const lackOfEmail = (email: string): string | null =>
  /^[^@\s]+@[^@\s]+$/.test(email.trim()) ? null : t('Enter an address such as ines@example.com.');
export const lackOfPassword = (password: string): string | null =>
  password === '' ? t('Enter your password.') : null;
export const lackOfNewPassword = (password: string): string | null =>
  password.length >= 12 ? null : t('Enter at least twelve characters.');
export const lackOfCode = (code: string): string | null => (code.trim() === '' ? t('Enter a code.') : null);

// Their names and what completes them are how browsers and keepers of passwords know them; all may be pasted into.

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
    description={isNew ? t('Twelve characters or more; a sentence is good.') : undefined}
    name="password"
    autoComplete={isNew ? 'new-password' : 'current-password'}
    required
    visibilityToggleButtonProps={{ 'aria-label': t('Show the password') }}
    value={value}
    error={error}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);

export const CodeField = ({ value, onChange, error }: FieldProps) => (
  <TextInput
    label={t('Code of your application, or a spare code')}
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
