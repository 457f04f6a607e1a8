import { useEffect, useRef, useState } from 'react';
import { inputMessage } from './input-mistakes.ts';
import { labelIn } from './label-in.ts';

/** Message of the service about rejected input, with the labels of the form around it. */
export function InputText({ message }: { message: string }) {
  const text = useRef<HTMLSpanElement>(null);
  const [form, setForm] = useState<Element | null>(null);
  useEffect(() => setForm(text.current?.closest('form') ?? null), []);
  return (
    <span ref={text}>{inputMessage(message, (name) => (form === null ? null : labelIn(form, name)))}</span>
  );
}
