import { Box } from '@mantine/core';
import classes from './monogram.module.css';

/** Theme colors of the circles. Red and yellow are left out, because they mean failures and warnings. */
const colors = ['accent', 'green', 'orange', 'indigo', 'grape', 'pink', 'violet'] as const;

interface MonogramProps {
  name: string;
  /** ID of the person, so that the color stays the same when the name changes. */
  id: string;
  size?: number;
}

/**
 * Circle with a person's initials, which makes rows easier to tell apart. It is decoration: the name is beside it. The
 * stylesheet draws the letters, so that they aren't copied or read together with the name.
 */
export function Monogram({ name, id, size = 24 }: MonogramProps) {
  const color = colors[hashOf(id) % colors.length];
  return (
    <Box
      component="span"
      aria-hidden="true"
      className={classes.circle}
      data-monogram
      data-initials={initialsOf(name)}
      __vars={{
        '--size': `${size}px`,
        '--light': `var(--mantine-color-${color}-1)`,
        '--deep': `var(--mantine-color-${color}-9)`,
      }}
    />
  );
}

/** Returns the first letters of a name's first and last word. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends
    .map((word) => Array.from(word ?? '')[0] ?? '')
    .join('')
    .toLocaleUpperCase();
}

function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = (hash * 31 + text.charCodeAt(at)) >>> 0;
  return hash;
}
