import { t } from '../../../ui/text.ts';

/** @returns the message for an invalid creator code; null for a valid one */
export const codeError = (code: string): string | null =>
  /^[A-Za-z0-9_-]{2,32}$/.test(code.trim()) ? null : t('Enter 2 to 32 letters, digits, _ or -.');
