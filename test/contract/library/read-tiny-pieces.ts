// Acts as a client with little memory in a test: reads each body whole and as a stream, and stops one of each early.
import { closeConnections, HostedApiProvider } from '../../../src/library';
import type { ChatOptions, ObservedAttempt } from '../../../src/library';

const [url = ''] = process.argv.slice(2);

async function read(status: string, options: Partial<ChatOptions>): Promise<object> {
  const provider = new HostedApiProvider({
    host: `${url}/${status}`,
    apiKey: 'key',
    model: 'm',
    retry: false,
  });
  const seen: ObservedAttempt[] = [];
  const call = provider.chat({
    messages: [{ role: 'user', content: 'Hi' }],
    onAttempt: (attempt) => void seen.push(attempt),
    ...options,
  });
  const { code } = await call.then(
    () => ({ code: 'no error' }),
    (error: { code: string }) => error,
  );
  const response = seen[0]?.evidence().response;
  return { code, bytes: (response?.body.length ?? 0) + (response?.omittedBytes ?? 0) };
}

/** Stops a call in the first turn of the event loop after its headers have arrived. */
function readBeginning(status: string, options: Partial<ChatOptions>): Promise<object> {
  const controller = new AbortController();
  return read(status, {
    ...options,
    signal: controller.signal,
    onProgress: ({ phase }) => void (phase === 'reading' && setImmediate(() => controller.abort())),
  });
}

const results = [];
for (const status of ['200', '500']) {
  for (const options of [{}, { onDelta: () => undefined }]) {
    results.push({
      status,
      way: 'onDelta' in options ? 'stream' : 'whole',
      whole: await read(status, options),
      stopped: await readBeginning(status, options),
    });
  }
}
await closeConnections();
console.log(JSON.stringify({ results, peakMib: process.resourceUsage().maxRSS / 1024 }));
