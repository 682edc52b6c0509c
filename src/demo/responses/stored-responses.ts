// The responses that a demo server keeps, for requests that go on from one or ask for it again. The state of one server.
import type { JsonObject } from '../wire/json-value';

export interface StoredResponse {
  /** As it was sent. */
  response: JsonObject;
  /** The whole conversation up to and with this response, as input items. */
  items: readonly unknown[];
}

/** In UTF-16 code units. The oldest responses go first. */
const MAX_LENGTH = 8 * 1024 * 1024;

export class StoredResponses {
  /** As JSON, so that what is kept is bounded and nobody can change it. */
  readonly #stored = new Map<string, string>();
  #length = 0;

  keep(id: string, stored: StoredResponse): void {
    const text = JSON.stringify(stored);
    this.#stored.set(id, text);
    this.#length += text.length;
    for (const oldest of this.#stored.keys()) {
      if (this.#length <= MAX_LENGTH) return;
      this.delete(oldest);
    }
  }

  find(id: string): StoredResponse | undefined {
    const text = this.#stored.get(id);
    return text === undefined ? undefined : (JSON.parse(text) as StoredResponse);
  }

  /** Returns false when there is none with this id. */
  delete(id: string): boolean {
    this.#length -= this.#stored.get(id)?.length ?? 0;
    return this.#stored.delete(id);
  }
}
