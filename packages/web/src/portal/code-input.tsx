import { TextInput } from '@mantine/core';
import classes from './code-input.module.css';

interface CodeInputProps {
  label: string;
  name: string;
  autoComplete: 'one-time-code' | 'off';
  error: string | undefined;
  value: string;
  onChange(value: string): void;
}

/** Field for a code such as `7KQM-X2PA`. The service ignores letter case and the dash. */
export const CodeInput = ({ onChange, ...props }: CodeInputProps) => (
  <TextInput
    {...props}
    size="lg"
    placeholder="XXXX-XXXX"
    autoCapitalize="characters"
    autoCorrect="off"
    spellCheck={false}
    classNames={{ input: classes.input }}
    onChange={({ currentTarget: { value } }) => onChange(value)}
  />
);

/** Removes the dash, and spaces that were copied with a code. */
export const codeIn = (text: string): string => text.replaceAll(/[^0-9a-z]/gi, '');

/** Returns whether text has as many letters and digits as a code, so that an incomplete one isn't counted as wrong. */
export const isComplete = (text: string): boolean => codeIn(text).length === 8;
