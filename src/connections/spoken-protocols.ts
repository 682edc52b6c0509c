// Asks a server which protocols it speaks: in each with a request without a model, which costs nothing and which every server
// refuses that speaks it. Sends only what its caller's provider sends.
import type { CatalogEntry, Providers } from '../library';
import { HttpError } from '../library';

/** The address in another protocol of the server that speaks this one at `host`. */
export function hostIn(entry: CatalogEntry, { own, host }: { own: CatalogEntry; host: string }): string {
  const base = host.replace(/\/+$/, '');
  const { basePath } = own.address;
  const root = base.endsWith(basePath) ? base.slice(0, base.length - basePath.length) : base;
  return root + entry.address.basePath;
}

/** No such path, and no such method there. */
const NOT_SPOKEN = new Set([404, 405, 501]);

/** @returns the status with which the server refused; undefined when it answered otherwise, or not at all */
export async function askWithoutModel(provider: Providers, signal: AbortSignal): Promise<number | undefined> {
  try {
    await provider.chat({ messages: [{ role: 'user', content: '-' }], body: '{}', signal });
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof HttpError ? error.status : undefined;
  }
}

/** Whether this refusal says that the server has no such protocol. */
export const isNotSpoken = (status: number | undefined): status is number =>
  status !== undefined && NOT_SPOKEN.has(status);
