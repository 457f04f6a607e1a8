import type { OverlaySettings, ShownPurchase } from '../client/portal/types.gen.ts';
import { messageOf } from './message-of.ts';
import { sleep } from './sleep.ts';

/** Maximum number of purchases that wait to be shown. Further ones are only counted. */
const maxQueued = 20;
/** Pause between two messages, in which the first one fades out. */
const gapMs = 400;

/** Place where purchases are shown, one after the other. */
export class Stage {
  readonly #element: HTMLElement;
  readonly #queue: ShownPurchase[] = [];
  #more = 0;
  #settings: OverlaySettings | null = null;
  #isShowing = false;

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  /** Shows purchases after those that are waiting. @param more number of further purchases, which are only counted */
  add(purchases: readonly ShownPurchase[], more: number, settings: OverlaySettings): void {
    this.#settings = settings;
    document.body.dataset.placement = settings.placement;
    const room = maxQueued - this.#queue.length;
    this.#queue.push(...purchases.slice(0, room));
    this.#more += more + Math.max(0, purchases.length - room);
    if (!this.#isShowing) void this.#showAll();
  }

  async #showAll(): Promise<void> {
    this.#isShowing = true;
    for (let text = this.#next(); text !== null; text = this.#next()) await this.#show(text);
    this.#isShowing = false;
  }

  #next(): string | null {
    const purchase = this.#queue.shift();
    if (purchase !== undefined) return messageOf(this.#settings?.text ?? '', purchase);
    const more = this.#more;
    this.#more = 0;
    return more === 0 ? null : `and ${more} more`;
  }

  async #show(text: string): Promise<void> {
    const message = document.createElement('p');
    message.className = 'message';
    message.textContent = text; // never as HTML, because the product's text isn't ours
    this.#element.replaceChildren(message);
    await sleep((this.#settings?.showSeconds ?? 6) * 1_000);
    message.dataset.leaving = '';
    await sleep(gapMs);
    message.remove();
  }
}
