import { Zip, ZipDeflate } from 'fflate';

export interface ZippedFile {
  name: string;
  /** Contents, in pieces that are read one at a time. */
  pieces: AsyncIterable<string> | Iterable<string>;
}

/** Maximum size of each file and of the whole ZIP file without the 64-bit extension. */
const maxBytes = 2 ** 32 - 1;

/**
 * Yields a ZIP file in pieces. A file's next piece is read only after the previous one has been consumed, so only one
 * piece is in memory at a time. The same contents and day give the same bytes on every machine, because the compression
 * is implemented by the library itself and the files' time doesn't depend on the time zone.
 * @param day UTC day of the files; the time of day is ignored
 * @throws Error when a file is too large; the connection then breaks, so the client knows that the file is incomplete
 */
export async function* zip(
  files: AsyncIterable<ZippedFile> | Iterable<ZippedFile>,
  day: Date,
): AsyncGenerator<Uint8Array> {
  // ZIP stores local time. Noon exists on every day in every time zone.
  const mtime = new Date(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), 12);
  const ready: Uint8Array[] = [];
  let failure: Error | null = null;
  let bytes = 0;
  const archive = new Zip((error, piece) => {
    failure ??= error;
    if (piece !== undefined && piece.length > 0) ready.push(piece);
  });
  const take = function* (): Generator<Uint8Array> {
    if (failure !== null) throw failure;
    for (const piece of ready.splice(0)) {
      bytes += piece.length;
      if (bytes > maxBytes) throw tooLarge;
      yield piece;
    }
  };
  const encoder = new TextEncoder();
  for await (const { name, pieces } of files) {
    const file = new ZipDeflate(name, { level: 6 });
    file.mtime = mtime;
    archive.add(file);
    let length = 0;
    for await (const piece of pieces) {
      const encoded = encoder.encode(piece);
      length += encoded.length;
      if (length > maxBytes) throw tooLarge;
      file.push(encoded);
      yield* take();
    }
    file.push(new Uint8Array(), true);
    yield* take();
  }
  archive.end();
  yield* take();
}

const tooLarge = new Error('the ZIP file would have to be larger than 4 GB');
