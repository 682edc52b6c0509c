// Runs asynchronous work one after the other, in the order of the calls.
export class Serial {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    // The caller gets the error; the next work must run nevertheless.
    this.#last = result.catch(() => undefined);
    return result;
  }
}
