// A program of its own that chats with the library alone, as many requests at once as an evaluation sends, and prints how many
// milliseconds it took. Argument: a job as JSON.
import { createRequire } from 'node:module';

/** What an evaluation needs of each chat: the time of the first token, the phase, every attempt, and to stop it. */
const OBSERVED = {
  onDelta() {},
  onProgress() {},
  onAttempt() {},
  signal: new AbortController().signal,
};

const { file, host, samples, atOnce, question, tools, isObserved } = JSON.parse(process.argv[2]);
const { library } = createRequire(import.meta.url)(file);
const provider = new library.HostedApiProvider({ host, model: 'm', auth: 'none' });
const options = isObserved ? OBSERVED : {};
let left = samples;
const start = performance.now();
const work = async () => {
  while (left-- > 0)
    await provider.chat({ messages: [{ role: 'user', content: question }], tools, ...options });
};
await Promise.all(Array.from({ length: atOnce }, work));
console.log(performance.now() - start);
process.exit();
