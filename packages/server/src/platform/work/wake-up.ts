/** Lets a loop sleep until there is something for it to do. What comes while it works is not missed. */
export class WakeUp {
  #isWoken = true; // the first look is always due
  #endSleep: (() => void) | null = null;

  wake(): void {
    this.#isWoken = true;
    this.#endSleep?.();
  }

  /** Resolves once it has been woken since it last resolved, or when `stopping` is aborted. */
  async wait(stopping: AbortSignal): Promise<void> {
    if (!this.#isWoken && !stopping.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const endSleep = (): void => resolve();
      this.#endSleep = endSleep;
      stopping.addEventListener('abort', endSleep, { once: true });
      await promise;
      stopping.removeEventListener('abort', endSleep);
      this.#endSleep = null;
    }
    this.#isWoken = false;
  }
}
