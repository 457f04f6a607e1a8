import { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/**
 * Characters that a terminal obeys instead of showing, or that make it show others in another order: the controls C0
 * and C1, save for line ends and tabs, and those of bidirectional text.
 */
const commanding = /(?![\n\t])\p{Control}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Text for a terminal. What commands one is written as its escape in JSON, so that JSON stays the same value: raw,
 * such characters stand inside its strings alone.
 */
export const printable = (text: string): string =>
  text.replace(commanding, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The same in one line. */
export const printableLine = (text: string): string => printable(text).replaceAll(/[\n\t]/g, ' ');

/** Where data goes as it is, unless it is a terminal. */
export function dataOutput(output: Writable & { isTTY?: boolean }): Writable {
  if (output.isTTY !== true) return output;
  const decoder = new StringDecoder();
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => void output.write(printable(decoder.write(chunk)), done),
  });
}
