// What our providers cost compared with a bare undici `request` that does the minimum: send, parse, extract. Those of the Messages
// and the Responses API also beside the clients of the makers of these protocols.
import { CALLS_OF_BIG, DELTAS_PER_STREAM } from '../http/replies.mjs';
import { startServer } from '../http/start-server.mjs';

const PROTOCOLS = { 'hosted-api': 'hosted', 'local-host': 'local' };
const PROTOCOLS_WITH_CLIENT = { 'messages-api': 'messages', 'responses-api': 'responses' };

/** A row with the CPU time per call or delta, relative to undici's. */
const cpuRow = (title, unit, max) => ({
  title: `${title}, CPU`,
  unit,
  pick: ({ cpuUs }) => cpuUs,
  compare: 'ratio',
  goal: { max },
});

/** Name, measurement, number of calls, and resulting rows. The warm-up ends when V8 has compiled everything. */
function toScenarios(protocol, word) {
  const title = (text) => `${text}, ${word}`;
  return [
    {
      name: `small-${word}`,
      job: { measurement: 'sequential', reply: 'small', toolCalls: 0, warmUp: 6000, count: 500 },
      slices: 20,
      rows: [
        cpuRow(title('small chat, one after the other'), 'µs/call', 1),
        {
          title: `${title('small chat, one after the other')}, median time`,
          unit: 'µs',
          pick: ({ medianUs }) => medianUs,
          compare: 'difference',
          goal: { max: 8 },
        },
        {
          title: `${title('small chat, one after the other')}, peak memory`,
          unit: 'MiB',
          pick: ({ peakMib }) => peakMib,
          compare: 'difference',
          goal: { max: 5 },
        },
      ],
    },
    {
      name: `big-${word}`,
      job: { measurement: 'sequential', reply: 'big', toolCalls: CALLS_OF_BIG, warmUp: 1500, count: 100 },
      slices: 20,
      rows: [cpuRow(title('63 KB reply with 4 tool calls'), 'µs/call', 1)],
    },
    {
      name: `concurrent-${word}`,
      job: { measurement: 'concurrent', reply: 'small', warmUp: 8000, count: 1500, atOnce: 128 },
      slices: 16,
      rows: [
        cpuRow(title('128 at once'), 'µs/call', 1),
        {
          title: `${title('128 at once')}, rate`,
          unit: 'calls/s',
          pick: ({ perSecond }) => perSecond,
          compare: 'ratio',
          goal: { min: 1 },
        },
      ],
    },
    {
      name: `stream-${word}`,
      job: {
        measurement: 'stream',
        reply: 'burst',
        warmUp: 150,
        count: 20,
        deltasPerStream: DELTAS_PER_STREAM,
      },
      slices: 20,
      rows: [cpuRow(title('stream in one burst'), 'µs/delta', 1)],
    },
    {
      name: `held-${word}`,
      // So many calls that what the process keeps for itself does not matter.
      job: { measurement: 'held', reply: 'held', warmUp: 200, count: 768 },
      nodeArgs: ['--expose-gc'],
      rows: [
        {
          title: title('heap per call under way'),
          unit: 'KiB',
          pick: ({ heapKib }) => heapKib,
          compare: 'absolute',
          goal: { max: 9 },
        },
      ],
    },
    {
      name: `first-${word}`,
      job: { measurement: 'first', reply: 'small' },
      // Room for all garbage of the call: a collection would mostly move what loading has left.
      nodeArgs: ['--expose-gc', '--min-semi-space-size=16'],
      processes: 5,
      rows: [
        {
          title: title('first call of a process, CPU'),
          unit: 'ms',
          pick: ({ cpuUs }) => cpuUs / 1000,
          compare: 'difference',
          goal: { max: 4 },
        },
      ],
    },
  ].map((scenario) => ({ ...scenario, job: { ...scenario.job, protocol } }));
}

/** A small chat and a stream, beside undici and beside the official client. */
const toOfficialScenarios = (protocol, word) =>
  toScenarios(protocol, word)
    .filter(({ name }) => name === `small-${word}` || name === `stream-${word}`)
    .map((scenario) => {
      const [cpu] = scenario.rows;
      const rows = [
        { ...cpu, goal: { max: 1.1 } },
        {
          ...cpu,
          title: `${cpu.title}, to the official client`,
          reference: 'official',
          goal: { max: 1 / 3 },
        },
      ];
      return {
        ...scenario,
        slices: 10,
        rows,
        clients: ['undici', 'ours', 'official'],
      };
    });

/** @param dist Folder of the shipped bundles. */
export async function openSuite({ dist, isQuick }) {
  const server = await startServer();
  const scenarios = [
    ...Object.entries(PROTOCOLS).flatMap(([protocol, word]) =>
      toScenarios(protocol, word).map((scenario) => ({ ...scenario, clients: ['undici', 'ours'] })),
    ),
    ...Object.entries(PROTOCOLS_WITH_CLIENT).flatMap(([protocol, word]) =>
      toOfficialScenarios(protocol, word),
    ),
  ];
  const few = (job) => ({ warmUp: Math.min(job.warmUp, 2), count: Math.min(job.count, 4), atOnce: 4 });
  return {
    title: 'Our providers beside a bare undici `request`',
    clients: ['undici', 'ours', 'official'],
    subject: 'ours',
    reference: 'undici',
    scenarios: scenarios.map((scenario) => ({
      ...scenario,
      script: new URL('../http/measure.mjs', import.meta.url),
      job: { ...scenario.job, ...(isQuick && few(scenario.job)), dist, origin: server.origin },
      slices: isQuick ? 1 : scenario.slices,
      processes: isQuick ? 1 : scenario.processes,
    })),
    close: () => server.stop(),
  };
}
