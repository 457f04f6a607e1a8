/** Signal that wakes a sleeping loop. A wake-up while the loop is working is not lost. */
export class WakeUp {
  #isWoken = true; // the first round always runs
  #endSleep: (() => void) | null = null;

  wake(): void {
    this.#isWoken = true;
    this.#endSleep?.();
  }

  /** Resolves once a wake-up has occurred since the last `wait`, or when `stopping` is aborted. */
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
