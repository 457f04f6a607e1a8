import { t } from '../../ui/text.ts';

// Apart from the fields, because screens that check an email address don't need them.

/** Returns the message for an invalid email address; null for a valid one. */
export const emailError = (email: string): string | null =>
  /^[^@\s]+@[^@\s]+$/.test(email.trim()) ? null : t('Enter an email address, such as ines@example.com.');
export const passwordError = (password: string): string | null =>
  password === '' ? t('Password is required.') : null;
export const newPasswordError = (password: string): string | null =>
  password.length >= 12 ? null : t('Enter at least 12 characters.');
export const codeError = (code: string): string | null =>
  code.trim() === '' ? t('Code is required.') : null;
