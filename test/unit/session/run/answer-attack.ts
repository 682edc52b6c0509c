// Runs a playground whose server answers with a reply that is made to cost as much as it can, and looks at everything that is
// shown of it. Prints what came of it as one line of JSON. The argument is the name of the reply.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { wireFile } from '../../../../src/host/wire/wire-text';
import { toHtml, toMarkdown } from '../../../../src/inspect';
import { createRedactor, HostedApiProvider } from '../../../../src/library';
import { createSessionHandlers, FileRunStore, Session, SessionView } from '../../../../src/session';
import { computedMsSince } from '../../../support/computed-ms';
import {
  NO_ROWS,
  CONNECTION,
  MemoryBacking,
  scriptedServices,
} from '../../../support/session/scripted-session';

/** The server has a thread of its own, so that the time that it needs is not measured. */
const SERVER = `
const { parentPort, workerData } = require('node:worker_threads');
const many = (count, make) => Array.from({ length: count }, (_, index) => make(index)).join(',');
const keys = '{' + many(1e6, (index) => '"key' + index + '":' + index) + '}';
const call = (args) => '{"id":"c","function":{"name":"get_weather","arguments":' + args + '}}';
const CALLS = {
  'a million keys': () => call(JSON.stringify(keys)),
  'a hundred thousand calls': () => many(1e5, () => call('{"city":"Oslo"}')),
  'a million brackets': () => call('"' + '['.repeat(1e6) + '"'),
};
const message = '{"role":"assistant","content":"","tool_calls":[' + CALLS[workerData.reply]() + ']}';
const body = '{"choices":[{"index":0,"finish_reason":"stop","message":' + message + '}]}';
const server = require('node:http').createServer((request, response) => {
  request.resume().on('end', () => response.end(body));
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

const KEY = 'canary-key-0123456789';
const TOOL = { name: 'get_weather', parameters: { type: 'object', required: ['city'] } };

const INFO = { madeBy: 'a test', madeAt: 'now' };

/** Measures the longest turn of the event loop, in CPU time: a busy machine makes no turn longer. */
class StallMeter {
  longestMs = 0;
  #last = process.cpuUsage();
  #timer: NodeJS.Timeout | undefined;

  start(): void {
    this.#last = process.cpuUsage();
    this.#timer = setInterval(() => {
      this.longestMs = Math.max(this.longestMs, computedMsSince(this.#last));
      this.#last = process.cpuUsage();
    }, 1);
  }

  end(): void {
    clearInterval(this.#timer);
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2));

const [reply = ''] = process.argv.slice(2);
const worker = new Worker(SERVER, { eval: true, workerData: { reply } });
const port = await new Promise<number>((resolve) => worker.once('message', resolve));
const folder = await mkdtemp(join(tmpdir(), 'answer-attack-'));
const host = `http://127.0.0.1:${port}`;
const provider = new HostedApiProvider({ host, apiKey: KEY, model: 'm', retry: false });
const { services } = scriptedServices({});
const problems: string[] = [];
const store = new FileRunStore({
  folder,
  limits: () => ({ maxBytes: 1e9, maxRuns: 100 }),
  redact: createRedactor([KEY]).value,
  onProblem: (problem) => void problems.push(problem),
});
const backing = new MemoryBacking(
  JSON.stringify({ tools: [TOOL], lanes: [{ id: 'a', connection: 'demo' }] }),
);
const session = await Session.open({
  ...services,
  connections: {
    ...services.connections,
    open: () => Promise.resolve({ provider, view: CONNECTION, model: 'm', gate: 'demo', secrets: [KEY] }),
    explain: (error) =>
      Promise.resolve({ code: 'test', title: 'Failed', what: String(error), why: '', next: '' }),
  },
  backing,
  store,
  rowsFile: NO_ROWS,
  requestsLeaveFrom: 'this computer',
});
const view = new SessionView(session, services.clock, () => undefined);
const handlers = createSessionHandlers(() => Promise.resolve({ session, view }));
view.open();
const meter = new StallMeter();
meter.start();

await handlers['run/start']({ laneIds: ['a'], kind: 'chat', text: 'Hi' });
while (session.laneSnapshot('a', undefined)?.run !== null)
  await new Promise((resolve) => setTimeout(resolve, 5));
await session.flush();
await turn();
const snapshot = view.open();
await turn();
const runId = session.laneSnapshot('a', undefined)?.order?.at(-1) ?? '';
const place = { laneId: 'a', runId };
const { turn: got, verdict, findings, error } = await session.past.record(place);
for (const part of ['reply', 'calls'] as const) {
  await session.past.comparison([place, place], part, 'normalised');
  await turn();
}
const exported = await session.past.exported(place);
await turn();
const markdown = toMarkdown([exported], INFO);
await turn();
const html = toHtml([exported], INFO, 'en');
await turn();
const wire = await session.past.wire(runId);
const attempt = wire?.attempts.at(-1);
let fileBytes = 0;
for (const file of ['response.json', 'response.raw', 'response.events'] as const) {
  if (wire && attempt) fileBytes += wireFile(wire, attempt, file).length;
  await turn();
}
meter.end();
process.stdout.write(
  `${JSON.stringify({
    verdict: verdict.kind,
    error: error?.what,
    calls: got?.toolCalls.map(({ arguments: value }) => typeof value),
    findings: findings.map(({ what }) => what),
    shownLength: Math.max(JSON.stringify(snapshot).length, markdown.length, html.length),
    fileBytes,
    longestMs: Math.round(meter.longestMs),
    problems,
  })}\n`,
);
await session.dispose();
await worker.terminate();
await rm(folder, { recursive: true, force: true });
