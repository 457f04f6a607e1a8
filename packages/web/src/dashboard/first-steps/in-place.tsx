import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { FormName } from './forms.tsx';

const Form = lazy(() => import('./forms.tsx').then((found) => ({ default: found.Form })));

interface InPlace {
  open(form: FormName): void;
  /** Element of the form. Render it exactly once. */
  form: ReactNode;
}

/** Opens a form of another screen over the current one. The forms are loaded on first use. */
export function useInPlace(): InPlace {
  const [name, setName] = useState<FormName | null>(null);
  const [isOpen, setOpen] = useState(false);
  return {
    open(chosen) {
      setName(chosen);
      setOpen(true);
    },
    form: name !== null && (
      <Suspense>
        <Form key={name} name={name} opened={isOpen} onClose={() => setOpen(false)} />
      </Suspense>
    ),
  };
}
