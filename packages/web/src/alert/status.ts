const shownMs = 10_000;

/**
 * Sentence for a person who opens the page in a browser. It is shown for ten seconds after the page was opened, and whenever the
 * pointer moves, which it never does on a stream. OBS Studio is recognized, and never shows it.
 */
export class Status {
  readonly #element: HTMLElement;
  #timer: number | undefined;

  constructor(element: HTMLElement) {
    this.#element = element;
    if ('obsstudio' in window) return;
    window.addEventListener('pointermove', () => this.#show());
    this.#show();
  }

  report(text: string): void {
    this.#element.textContent = text;
  }

  #show(): void {
    this.#element.hidden = false;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      this.#element.hidden = true;
    }, shownMs);
  }
}
