import { useEffect, useRef, useState } from 'react';
import { client } from '../client/client.gen.ts';
import { saveFile } from './save-file.ts';

/** State of an export of this dialog. */
export type ExportState =
  | { step: 'ready' }
  | { step: 'running'; lines: number; bytes: number }
  | { step: 'saved'; fileName: string; bytes: number }
  | { step: 'too large' }
  | { step: 'failed'; error: unknown };

const ready: ExportState = { step: 'ready' };
/** Interval between two updates of the progress, so that drawing it doesn't slow the download. */
const shownEveryMs = 200;
const lineFeed = 10;

/** Maximum size of a file that the page downloads itself, because it holds the file in memory until it is saved. */
const maxBytes = 100_000_000;

/** Thrown when a file turns out to be larger than what the page may hold. */
class TooLarge extends Error {}

/**
 * Downloads a file piece by piece and then saves it, so that the page knows how far it is, and never saves an incomplete
 * file. Stops at {@link maxBytes}.
 * @param url path of the export, with its query
 */
export function useExportDownload(url: string) {
  const [state, setState] = useState<ExportState>(ready);
  const running = useRef<AbortController | null>(null);
  const stop = (): void => running.current?.abort();
  useEffect(() => () => running.current?.abort(), []);
  const start = async (): Promise<void> => {
    stop();
    const controller = new AbortController();
    running.current = controller;
    setState({ step: 'running', lines: 0, bytes: 0 });
    try {
      const { fileName, file } = await download(url, controller.signal, (lines, bytes) =>
        setState({ step: 'running', lines, bytes }),
      );
      saveFile(file, fileName);
      setState({ step: 'saved', fileName, bytes: file.size });
    } catch (error) {
      if (error instanceof TooLarge) setState({ step: 'too large' });
      else setState(controller.signal.aborted ? ready : { step: 'failed', error });
    }
  };
  const reset = (): void => {
    stop();
    setState(ready);
  };
  return { state, start, reset };
}

async function download(
  url: string,
  signal: AbortSignal,
  onProgress: (lines: number, bytes: number) => void,
): Promise<{ fileName: string; file: Blob }> {
  const { data, response } = await client.get({ url, parseAs: 'stream', throwOnError: true, signal });
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let [lines, bytes, shownAt] = [0, 0, performance.now()];
  const reader = (data as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    bytes += value.length;
    if (bytes > maxBytes) {
      await reader.cancel();
      throw new TooLarge();
    }
    for (const byte of value) if (byte === lineFeed) lines += 1;
    if (performance.now() - shownAt > shownEveryMs) {
      onProgress(lines, bytes);
      shownAt = performance.now();
    }
  }
  return {
    fileName: fileNameOf(response.headers.get('content-disposition')),
    file: new Blob(pieces, { type: response.headers.get('content-type') ?? 'text/csv' }),
  };
}

/** Returns the name in a `content-disposition` header. */
const fileNameOf = (header: string | null): string =>
  /filename="?([^";]+)"?/.exec(header ?? '')?.[1] ?? 'export.csv';
