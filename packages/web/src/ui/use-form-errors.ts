import { useState } from 'react';
import { t } from './text.ts';

export interface FormErrors<Name extends string> {
  /**
   * Message for each field. A message is absent until the form is first submitted, and while the field is
   * valid.
   */
  errors: Partial<Record<Name, string>>;
  /** Shows the messages, and focuses the first invalid field. @returns whether all fields are valid */
  check(form: HTMLFormElement): boolean;
  /** Hides the messages when a form is reused. */
  reset(): void;
}

/** @returns the message for a missing name; null for a valid one */
export const nameError = (name: string): string | null =>
  name.trim() === '' ? t('Name is required.') : null;

/** Returns whether all fields are valid, given the problems that `useFormErrors` takes. */
export const areValid = (problems: Readonly<Record<string, string | null>>): boolean =>
  Object.values(problems).every((problem) => problem === null);

/**
 * Shows our own messages for invalid fields instead of the browser's.
 * @param problems message for each field by its name; null for a valid field
 */
export function useFormErrors<Name extends string>(problems: Record<Name, string | null>): FormErrors<Name> {
  const [isSubmitted, setSubmitted] = useState(false);
  const invalid = (Object.entries(problems) as [Name, string | null][]).flatMap(([name, problem]) =>
    problem === null ? [] : [[name, problem] as const],
  );
  return {
    errors: isSubmitted ? (Object.fromEntries(invalid) as Partial<Record<Name, string>>) : {},
    check(form) {
      setSubmitted(true);
      const [first] = invalid;
      if (first === undefined) return true;
      form.querySelector<HTMLInputElement>(`[name="${first[0]}"]`)?.focus();
      return false;
    },
    reset: () => setSubmitted(false),
  };
}
