// Replaces name resolution in this process, for sockets and for code that resolves names itself. The connections are real.
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { isIPv6 } from 'node:net';

type Callback = (error: Error | null, address: never, family: never) => void;

/**
 * Resolves these names to these addresses while `work` runs.
 * @param addresses By name, in the order in which the system would return them. Other names are resolved by the system.
 */
export async function withNames<T>(
  addresses: Readonly<Record<string, readonly string[]>>,
  work: () => Promise<T>,
): Promise<T> {
  const { lookup } = dns;
  const { lookup: lookupLater } = dns.promises;
  const find = (name: string) =>
    addresses[name]?.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const answer = (name: string, options: dns.LookupOptions, callback: Callback): void => {
    const found = find(name);
    if (!found) return void Reflect.apply(lookup, dns, [name, options, callback]);
    const [first] = found;
    const result = options.all ? [found] : [first?.address, first?.family];
    process.nextTick(() => Reflect.apply(callback, undefined, [null, ...result]));
  };
  const answerLater = async (name: string, options: dns.LookupAllOptions): Promise<dns.LookupAddress[]> =>
    find(name) ?? lookupLater(name, options);
  set(answer, answerLater);
  try {
    return await work();
  } finally {
    set(lookup, lookupLater);
  }
}

function set(lookup: unknown, lookupLater: unknown): void {
  Object.assign(dns, { lookup });
  Object.assign(dns.promises, { lookup: lookupLater });
  // Updates modules that import the functions by name.
  syncBuiltinESMExports();
}
