/** One page, and the function that reads the page after it; null after the last one. */
export interface ReadPage<Page, Item> {
  readonly page: Page;
  readonly items: readonly Item[];
  readonly next: (() => Promise<ReadPage<Page, Item>>) | null;
}

/**
 * List that is read page by page: `for await (const item of list)`. Nothing is requested before the loop starts, and each
 * loop starts at the first page.
 */
export class Pages<Page, Item> implements AsyncIterable<Item> {
  readonly #first: () => Promise<ReadPage<Page, Item>>;

  /** @internal */
  constructor(first: () => Promise<ReadPage<Page, Item>>) {
    this.#first = first;
  }

  /** Returns the pages as the service sends them. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    for await (const { page } of this.#read()) yield page;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.#read()) yield* items;
  }

  async *#read(): AsyncGenerator<ReadPage<Page, Item>, void, undefined> {
    for (let next: (() => Promise<ReadPage<Page, Item>>) | null = this.#first; next !== null; ) {
      const read: ReadPage<Page, Item> = await next();
      yield read;
      next = read.next;
    }
  }
}

interface NumberedPage {
  readonly currentPage: number;
  readonly currentPageSize: number;
  readonly totalCount: number;
}

/**
 * Returns a list whose pages are numbered.
 * @param readPage reads the page with a number, or the one that the caller chose if it is undefined
 * @param itemsOf returns the items of a page
 */
export function numberedPages<Page extends NumberedPage, Item>(
  readPage: (page?: number) => Promise<Page>,
  itemsOf: (page: Page) => readonly Item[],
): Pages<Page, Item> {
  const read = async (number?: number): Promise<ReadPage<Page, Item>> => {
    const page = await readPage(number);
    const items = itemsOf(page);
    const isLast = items.length === 0 || page.currentPage * page.currentPageSize >= page.totalCount;
    return { page, items, next: isLast ? null : () => read(page.currentPage + 1) };
  };
  return new Pages(read);
}
