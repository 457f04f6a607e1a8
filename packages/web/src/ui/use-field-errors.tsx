import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { ApiFailure } from './api-failure.ts';
import { FieldErrorText } from './error-notice.tsx';
import { useFormErrors } from './use-form-errors.ts';

export interface FieldErrors<Name extends string> {
  /** Message for each field, from the form or from the service. */
  errors: Partial<Record<Name, ReactNode>>;
  /** Failure to show in a notice; null if a field shows it. */
  notice: unknown;
  check(form: HTMLFormElement): boolean;
  reset(): void;
}

/**
 * Returns the name of the only field that a failure is about; null if there is none. The innermost name in the path of the
 * mistake counts, so `codes[0].code` is about `code`, and `tags[2]` about `tags`.
 */
export function fieldOf(failure: unknown, names: readonly string[]): string | null {
  const path = failure instanceof ApiFailure ? failure.facts.path : null;
  if (!Array.isArray(path)) return null;
  const innermost = path.findLast((part) => typeof part === 'string');
  return names.find((name) => name === innermost || name.endsWith(`.${innermost}`)) ?? null;
}

/** Field that shows a failure; null once it was changed. */
interface Shown {
  failure: unknown;
  name: string | null;
}

/**
 * Shows our own messages for invalid fields as `useFormErrors` does, and a failure of the service at the field that it is
 * about, which is focused. The message goes when the field is changed.
 * @param problems message for each field by its name, which is also the name that the API gives it; null for a valid field
 * @param failure error of the last attempt; null if there is none
 */
export function useFieldErrors<Name extends string>(
  problems: Record<Name, string | null>,
  failure: unknown,
): FieldErrors<Name> {
  const { errors, check, reset } = useFormErrors(problems);
  const form = useRef<HTMLFormElement>(null);
  const [shown, setShown] = useState<Shown | null>(null);
  const name = fieldOf(failure, Object.keys(problems));
  // Before the page is drawn, so that the notice doesn't flash.
  useLayoutEffect(() => {
    const field = name === null ? null : form.current?.querySelector<HTMLElement>(`[name="${name}"]`);
    if (!field) return;
    setShown({ failure, name });
    field.focus();
    // On the document, after React handled the event. Before, a new rendering would put the old text back.
    const answer = ({ target }: Event): void => {
      if (target === field) setShown({ failure, name: null });
    };
    document.addEventListener('input', answer);
    return () => document.removeEventListener('input', answer);
  }, [failure, name]);
  const at = failure !== null && shown?.failure === failure ? shown : null;
  return {
    errors:
      at !== null && at.name !== null ? { ...errors, [at.name]: <FieldErrorText error={failure} /> } : errors,
    notice: at === null ? failure : null,
    check(submitted) {
      form.current = submitted;
      return check(submitted);
    },
    reset,
  };
}
