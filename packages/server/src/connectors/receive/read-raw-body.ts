import type { IncomingMessage } from 'node:http';
import { Refusal, unavailable } from '../../platform/refusal.ts';
import { FairShares } from '../../platform/work/fair-shares.ts';

/** Maximum size of a request. Providers send a few kilobytes. */
export const maxBodyBytes = 1024 * 1024;
/** Memory for requests that are being read, shared by all connectors. */
const totalBytes = 16 * 1024 * 1024;

/** Reads the bytes that a provider signed. One connector can't take the memory of the others. */
export class RawBodies {
  readonly #memory = new FairShares(totalBytes);

  get heldBytes(): number {
    return totalBytes - this.#memory.free;
  }

  /**
   * Reads a body, whose memory the caller gives back.
   * @throws Refusal PayloadTooLarge, Unavailable, InvalidInput
   */
  read(connectorId: string, payload: IncomingMessage, declared: number): Promise<Buffer> {
    if (declared > maxBodyBytes) return Promise.reject(tooLarge());
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const stop = (): void => {
        payload.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone);
        payload.on('error', () => undefined); // reading the rest of a rejected body may fail
      };
      const refuse = (problem: Refusal): void => {
        stop();
        this.giveBack(connectorId, bytes);
        reject(problem);
      };
      const onData = (chunk: Buffer): void => {
        if (bytes + chunk.length > maxBodyBytes) refuse(tooLarge());
        else if (!this.#memory.take(connectorId, chunk.length))
          refuse(unavailable('Too many requests are being read. Send this one again.'));
        else {
          bytes += chunk.length;
          chunks.push(chunk);
        }
      };
      const onEnd = (): void => {
        stop();
        resolve(Buffer.concat(chunks));
      };
      const onGone = (): void => refuse(new Refusal('InvalidInput', 'The body is incomplete.'));
      payload.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
    });
  }

  giveBack(connectorId: string, bytes: number): void {
    if (bytes > 0) this.#memory.giveBack(connectorId, bytes);
  }
}

const tooLarge = (): Refusal => new Refusal('PayloadTooLarge', 'The body is larger than 1 MiB.');
