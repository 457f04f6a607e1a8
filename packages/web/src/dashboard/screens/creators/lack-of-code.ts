import { t } from '../../../ui/text.ts';

/** @returns what a creator code lacks; null for nothing */
export const lackOfCode = (code: string): string | null =>
  /^[A-Za-z0-9_-]{2,32}$/.test(code.trim()) ? null : t('Enter 2 to 32 letters, digits, _ or -.');
