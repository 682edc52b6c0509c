// Forwards the streams of a program in this process, by the bare minimum or by a recording, and measures what that costs.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const load = createRequire(import.meta.url);

/** Longer than the turn of the other client takes. */
const KEPT_MS = 120_000;

/** What forwarding needs at least: undici's stream, piped into the response of node:http. */
async function openRaw({ origin }) {
  const { Agent, stream } = createRequire(new URL('../../../package.json', import.meta.url))('undici');
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  const server = createServer({ keepAliveTimeout: KEPT_MS }, (request, response) => {
    const { host: _, connection: __, ...headers } = request.headers;
    const options = { method: request.method, headers, body: request, dispatcher };
    stream(origin + request.url, options, ({ statusCode, headers: fields }) => {
      const { 'transfer-encoding': ___, connection: ____, 'keep-alive': _____, ...returned } = fields;
      response.writeHead(statusCode, returned);
      return response;
    }).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { address: `http://127.0.0.1:${server.address().port}`, settle: () => undefined };
}

/** A recording whose exchanges are turned into records, as the command line does it for its file. */
async function openOurs({ origin, dist }) {
  const { Records, startRecording } = load(join(dist, 'engine.js')).recording;
  const records = new Records();
  let missing = 0;
  let settled = () => undefined;
  const { root } = await startRecording({
    target: origin,
    onChange: (passage) => {
      if (passage.endMs === undefined) {
        if (passage.status === undefined) missing += 1;
        return;
      }
      if (records.toRecord(passage)?.response?.isComplete !== true)
        throw new Error('an exchange was not recorded');
      missing -= 1;
      if (missing === 0) settled();
    },
  });
  // Records are made after the streams have ended, and belong to what a recording costs.
  const settle = () => missing === 0 || new Promise((resolve) => (settled = resolve));
  return { address: root, settle };
}

export async function openMeasurement(job) {
  const { warmUp, count, atOnce } = job;
  const { address, settle } = await (job.client === 'ours' ? openOurs(job) : openRaw(job));
  const program = fork(fileURLToPath(new URL('program.mjs', import.meta.url)), []);
  const run = async () => {
    program.send({ url: `${address}/v1/chat/completions`, atOnce });
    const [times] = await once(program, 'message');
    await settle();
    return times;
  };
  for (let done = 0; done < warmUp; done += 1) await run();
  const cpu = [];
  const times = [];
  return {
    async step() {
      for (let done = 0; done < count; done += 1) {
        const start = process.cpuUsage();
        times.push(...(await run()));
        const { user, system } = process.cpuUsage(start);
        cpu.push((user + system) / atOnce);
      }
    },
    sample: () => ({ cpuUs: median(cpu), firstMs: median(times) }),
  };
}

const median = (list) => list.toSorted((one, other) => one - other)[Math.floor(list.length / 2)];
