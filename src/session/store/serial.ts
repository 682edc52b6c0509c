// Work that is done one after the other, in the order in which it was asked for.
export class Serial {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    // what failed is told to whoever asked for it
    this.#last = result.catch(() => undefined);
    return result;
  }
}
