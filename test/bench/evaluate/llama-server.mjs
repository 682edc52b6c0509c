// Finds a real llama-server: one that runs at its usual address, or an installed one for which `LLAMA_ARG_MODEL` names a model, as
// it reads that variable itself.
import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';

const USUAL_PORT = 8080;
const OWN_PORT = 18_080;
const MAX_LOADING_MS = 60_000;

/** @returns undefined when there is none. `close` ends what was started. */
export async function openLlama() {
  if (await isReady(USUAL_PORT)) return { address: toAddress(USUAL_PORT), close() {} };
  if (!process.env.LLAMA_ARG_MODEL) return undefined;
  const child = spawn('llama-server', ['--port', `${OWN_PORT}`, '--jinja'], { stdio: 'ignore' });
  const ended = new AbortController();
  for (const event of ['error', 'exit']) child.once(event, () => ended.abort());
  const close = () => child.kill();
  process.once('exit', close);
  for (const end = Date.now() + MAX_LOADING_MS; !ended.signal.aborted && Date.now() < end; await wait(200))
    if (await isReady(OWN_PORT)) return { address: toAddress(OWN_PORT), close };
  close();
  return undefined;
}

const toAddress = (port) => `http://127.0.0.1:${port}/v1`;

/** Only llama-server answers `/props` with its template. */
async function isReady(port) {
  try {
    const signal = AbortSignal.timeout(1000);
    const answer = await fetch(`http://127.0.0.1:${port}/props`, { signal });
    return answer.ok && 'chat_template' in (await answer.json());
  } catch {
    return false;
  }
}
