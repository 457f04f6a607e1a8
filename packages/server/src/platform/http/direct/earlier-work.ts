import type { IncomingMessage } from 'node:http';

/**
 * Work that was done for a request before the framework received it (take-requests.ts). The framework continues from
 * there.
 */
export interface EarlierWork {
  /** Id of the request, which may have been generated. */
  readonly requestId: string;
  /** Time at which the request arrived, on the clock of `performance.now()`. */
  readonly startedAtMs: number;
  /** Body of the request, or the reason that it couldn't be read. */
  readonly body: Buffer | Error;
  /** Null if the operation wasn't performed. */
  readonly performed: Performed | null;
}

export interface Performed {
  /**
   * Sender of the request, as the operation found it. The framework doesn't look it up again, because a request that waited
   * for a database that doesn't respond would then wait twice.
   */
  readonly caller: unknown;
  /** Result of the operation, which the framework uses instead of performing it again. */
  readonly outcome: Promise<unknown>;
}

const earlierWork = new WeakMap<IncomingMessage, EarlierWork>();

/** Returns what was already done for a request; undefined for nearly all requests. */
export const earlierWorkOf = (request: IncomingMessage): EarlierWork | undefined => earlierWork.get(request);

export function noteEarlierWork(request: IncomingMessage, work: EarlierWork): void {
  earlierWork.set(request, work);
}
