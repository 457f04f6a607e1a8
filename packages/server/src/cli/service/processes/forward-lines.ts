import type { Readable } from 'node:stream';

/** Characters of an incomplete line that are kept. A longer line is forwarded in parts. */
const maxKept = 65_536;

/** Forwards a process's output in whole lines, so that the lines of several processes don't mix. */
export function forwardLines(from: Readable, to: NodeJS.WritableStream): void {
  let kept = '';
  from.setEncoding('utf8');
  from.on('data', (text: string) => {
    const all = kept + text;
    const end = all.length > maxKept ? all.length : all.lastIndexOf('\n') + 1;
    kept = all.slice(end);
    if (end > 0) to.write(all.slice(0, end));
  });
  from.on('end', () => {
    if (kept !== '') to.write(`${kept}\n`);
  });
}
