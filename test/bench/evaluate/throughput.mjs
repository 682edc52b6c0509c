// Evaluates with the command line and beside it chats with the library alone, both as programs of their own with as many requests at
// once: against a server that answers after 5 ms, or a real one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

const ROW = { id: 'oslo', city: 'Oslo' };
const TOOL = {
  name: 'get_weather',
  description: 'The weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const QUESTION = 'What is the weather in {{city}}?';
const EXPECTED = { calls: [{ tool: 'get_weather', arguments: { city: '{{city}}' } }] };

/** In a thread of its own, so that it takes no time of what is measured. */
const SERVER = `
const { createServer } = require('node:http');
const { parentPort } = require('node:worker_threads');
const call = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } };
const message = { role: 'assistant', content: null, tool_calls: [call] };
const usage = { prompt_tokens: 50, completion_tokens: 9, total_tokens: 59 };
const body = JSON.stringify({ choices: [{ index: 0, finish_reason: 'tool_calls', message }], usage });
const server = createServer((request, response) => {
  request.resume();
  setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(body), 5);
}).listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

async function openServer() {
  const worker = new Worker(SERVER, { eval: true });
  const [port] = await once(worker, 'message');
  worker.unref();
  return `http://127.0.0.1:${port}/v1`;
}

/**
 * @param job.file The engine; the command line is beside it. @param job.samples How many are sent each time.
 * @param job.address Of a real server. @default one of its own @param job.atOnce Requests at once. @default 50
 */
export async function openMeasurement({ file, samples, address, atOnce = 50 }) {
  const host = address ?? (await openServer());
  const folder = mkdtempSync(join(tmpdir(), 'bench-throughput-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const connection = { provider: 'hosted-api', host, model: 'm', auth: 'none' };
  writeFileSync(join(folder, 'provider-playground.connections.json'), JSON.stringify({ own: connection }));
  const repeat = Math.min(100, samples);
  const rows = Array.from({ length: samples / repeat }, (_, id) => ({ ...ROW, id }));
  const playground = {
    messages: [{ role: 'user', content: QUESTION }],
    tools: [TOOL],
    lanes: [{ id: 'a', connection: 'own' }],
    evaluate: { rows, repeat },
    // What a real model answers is not what is measured.
    expect: address ? [{ finish: ['stop', 'tool-calls', 'length'] }] : [EXPECTED],
  };
  writeFileSync(join(folder, 'bench.playground.json'), JSON.stringify(playground));
  const question = QUESTION.replace('{{city}}', ROW.city);
  const job = { file, host, samples, atOnce, question, tools: [TOOL] };
  let [share, observedShare, floorShare] = [0, 0, 0];
  return {
    async step() {
      const aloneMs = await chatAlone(job);
      const observedMs = await chatAlone({ ...job, isObserved: true });
      const evaluatedMs = await evaluate(join(dirname(file), 'cli.js'), folder, atOnce);
      share = aloneMs / evaluatedMs;
      observedShare = observedMs / evaluatedMs;
      floorShare = aloneMs / observedMs;
    },
    sample: () => ({ share, observedShare, floorShare }),
  };
}

async function chatAlone(job) {
  const text = await run(fileURLToPath(new URL('library-alone.mjs', import.meta.url)), [JSON.stringify(job)]);
  return Number(text);
}

async function evaluate(program, folder, atOnce) {
  const words = ['eval', '--concurrency', String(atOnce), '--quiet', '--reporter', 'json'];
  return JSON.parse(await run(program, words, folder)).files[0].durationMs;
}

/** @returns what it printed */
async function run(program, words, cwd) {
  const child = spawn(process.execPath, [program, ...words], { cwd });
  let text = '';
  child.stdout.on('data', (chunk) => (text += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
  return text;
}
