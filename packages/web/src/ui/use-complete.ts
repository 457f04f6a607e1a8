import { useState } from 'react';
import { t } from './text.ts';

export interface Complete<Name extends string> {
  /** Message under each field: absent until the form was sent once, and while the field is as it should be. */
  errors: Partial<Record<Name, string>>;
  /** Focuses the first field that lacks something. @returns whether none does */
  check(form: HTMLFormElement): boolean;
  /** Resets a form that is used again: nothing was sent yet. */
  forget(): void;
}

/** @returns what a name lacks; null for nothing */
export const lackOfName = (name: string): string | null => (name.trim() === '' ? t('Enter a name.') : null);

/**
 * Says in our words what the fields of a form lack, where the browser would show a bubble of its own.
 * @param lacks what each field lacks now, by its name; null for nothing
 */
export function useComplete<Name extends string>(lacks: Record<Name, string | null>): Complete<Name> {
  const [isSent, setSent] = useState(false);
  const lacking = (Object.entries(lacks) as [Name, string | null][]).flatMap(([name, lack]) =>
    lack === null ? [] : [[name, lack] as const],
  );
  return {
    errors: isSent ? (Object.fromEntries(lacking) as Partial<Record<Name, string>>) : {},
    check(form) {
      setSent(true);
      const [first] = lacking;
      if (first === undefined) return true;
      form.querySelector<HTMLInputElement>(`[name="${first[0]}"]`)?.focus();
      return false;
    },
    forget: () => setSent(false),
  };
}
