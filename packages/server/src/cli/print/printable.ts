import { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/**
 * Characters that control a terminal or change its text direction: the C0 and C1 controls except line breaks and
 * tabs, and the bidirectional controls.
 */
const controlCharacters = /(?![\n\t])\p{Control}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Escapes control characters as in JSON, so that a terminal doesn't interpret them. JSON output keeps its
 * meaning, because such characters occur only within its strings.
 */
export const printable = (text: string): string =>
  text.replace(
    controlCharacters,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Escapes control characters, and replaces line breaks and tabs with spaces. */
export const printableLine = (text: string): string => printable(text).replaceAll(/[\n\t]/g, ' ');

/** Returns a stream for exact data. Control characters are escaped only on a terminal. */
export function dataOutput(output: Writable & { isTTY?: boolean }): Writable {
  if (output.isTTY !== true) return output;
  const decoder = new StringDecoder();
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => void output.write(printable(decoder.write(chunk)), done),
  });
}
