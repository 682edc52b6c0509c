// How fast the panel and its session are: the page in a real Chromium, the session in this Node.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyRuns } from '../panel/history-view.mjs';
import { writeRuns } from '../panel/stored-runs.mjs';
import { buildCommit } from '../support/build-shipped.mjs';
import { findChromium } from '../support/find-chromium.mjs';

/** In milliseconds: no action of the user may block the page or the session for longer. */
const BLOCK = { max: 100 };
/** In milliseconds: what a user perceives as immediate. */
const KEY = { max: 50 };

const absolute = (title, unit, goal, pick) => ({ title, unit, goal, pick, compare: 'absolute' });

/** Measured as CPU time, which does not depend on the load of the machine. */
const longestTask = (title, pick) =>
  absolute(`${title}, CPU of the longest task`, 'ms', BLOCK, (sample) => pick(sample).longestCpuMs);
const longestBlock = (title, pick) =>
  absolute(`${title}, longest block of the session`, 'ms', BLOCK, (sample) => pick(sample).longestBlockMs);
const drawn = (title, maxMs, pick) =>
  absolute(`${title}, until drawn`, 'ms', { max: maxMs }, (sample) => pick(sample).drawnMs);

function toStreams(isQuick, hasPage) {
  const job = isQuick
    ? { lanes: 8, deltas: 100, replies: [200, 60] }
    : { lanes: 8, deltas: 20_000, replies: [10_000, 1500, 1500, 1500, 1500, 1500] };
  const what = `${job.lanes} lanes of ${job.deltas} deltas`;
  const ofSession = [
    absolute(`${what}, CPU of the session`, 'µs/delta', { max: 10 }, ({ cpuUs }) => cpuUs),
    longestBlock(what, (sample) => sample),
    // At most 20 updates a second, with a margin because a timer may fire a fraction of a millisecond early.
    absolute(`${what}, updates`, '/s', { max: 20.4 }, ({ updatesPerSecond }) => updatesPerSecond),
  ];
  const ofPage = [
    longestTask(what, (sample) => sample),
    absolute(`${what}, longest task`, 'ms', BLOCK, ({ longestTaskMs }) => longestTaskMs),
    absolute(`${what}, total blocking`, 'ms', { max: 200 }, ({ blockingMs }) => blockingMs),
    absolute(`${what}, main thread busy`, '%', { max: 60 }, ({ busyPercent }) => busyPercent),
    absolute(`${what}, a key until its frame, median`, 'ms', KEY, ({ keyMedianMs }) => keyMedianMs),
    absolute(`${what}, a key until its frame, most`, 'ms', KEY, ({ keyMostMs }) => keyMostMs),
    absolute(`${what}, JS heap`, 'MiB', { max: 16 }, ({ heapMib }) => heapMib),
    absolute(`${what}, JS heap of 5 more replies a lane`, 'MiB', { max: 8 }, ({ grownMib }) => grownMib),
  ];
  return {
    name: 'streams',
    job: { ...job, measurement: 'streams', hasPage },
    rows: hasPage ? [...ofSession, ...ofPage] : ofSession,
  };
}

function toLongReply() {
  const what = 'a reply of 1 MB';
  return {
    name: 'long-reply',
    job: { measurement: 'long-reply', length: 1_000_000 },
    rows: [
      longestBlock(what, ({ arrival }) => arrival),
      longestTask(what, ({ arrival }) => arrival),
      drawn(what, 500, ({ arrival }) => arrival),
      longestTask(`${what} in Rescue`, ({ rescue }) => rescue),
      longestTask(`${what} in Rescue, all of it`, ({ rescueAll }) => rescueAll),
      longestTask(`${what} in Reply`, ({ reply }) => reply),
      longestTask(`${what} in Reply, opened`, ({ replyOpen }) => replyOpen),
      longestTask(`${what} in Reply, all of it`, ({ replyAll }) => replyAll),
      longestTask(`${what} in the lane, all of it`, ({ laneAll }) => laneAll),
    ],
  };
}

function toManyCalls(isQuick) {
  const calls = isQuick ? 20 : 200;
  const what = `${calls} calls with results`;
  return {
    name: 'many-calls',
    job: { measurement: 'many-calls', calls },
    rows: [
      longestBlock(what, ({ arrival }) => arrival),
      longestTask(what, ({ arrival }) => arrival),
      drawn(what, 500, ({ arrival }) => arrival),
      longestTask(`one of ${calls} calls in the inspector`, ({ call }) => call),
    ],
  };
}

function toLongTranscript() {
  const turns = 500;
  const what = `${turns} turns, opened`;
  const scrolled = `${turns} turns, scrolled to the first`;
  return {
    name: 'long-transcript',
    job: { measurement: 'long-transcript', turns },
    rows: [
      longestBlock(what, ({ opened }) => opened),
      longestTask(what, ({ opened }) => opened),
      drawn(what, 1000, ({ opened }) => opened),
      longestBlock(scrolled, (sample) => sample.scrolled),
      longestTask(scrolled, (sample) => sample.scrolled),
    ],
  };
}

/** A reply is stored as received, as parsed, and in the next request, so a body is three times its text. */
const SIZES = [
  { name: '5 KB', length: 1300 },
  { name: '50 KB', length: 16_300 },
];

function toStoredRuns({ dist, isQuick, scratch }) {
  const runs = isQuick ? 20 : 1000;
  return (isQuick ? SIZES.slice(0, 1) : SIZES).flatMap(({ name, length }) => {
    const folder = join(scratch, name);
    let written;
    const prepare = async () => {
      written ??= writeRuns({ dist, folder, runs, length });
      return { text: await written };
    };
    const toScenario = (hasIndex, goal) => ({
      name: `stored-runs-${name.replace(' ', '').toLowerCase()}${hasIndex ? '' : '-without-index'}`,
      prepare,
      job: { measurement: 'stored-runs', folder, hasIndex },
      rows: toStoredRows(`${runs} stored runs of ${name}${hasIndex ? '' : ', no index'}`, goal),
    });
    return [
      toScenario(true, { maxMs: 300, maxPercent: 20 }),
      toScenario(false, { maxMs: 1000, maxPercent: 120 }),
    ];
  });
}

const toStoredRows = (what, { maxMs, maxPercent }) => [
  absolute(`${what}, until the snapshot`, 'ms', { max: maxMs }, ({ openMs }) => openMs),
  absolute(`${what}, read of the file`, '%', { max: maxPercent }, ({ readPercent }) => readPercent),
];

/** Several playgrounds with many runs each. */
function toHistory({ dist, isQuick, scratch }) {
  const [copies, runs] = isQuick ? [3, 20] : [10, 1000];
  const folder = join(scratch, 'history');
  let written;
  const prepare = async () => {
    written ??= writeRuns({ dist, folder, runs, length: 1300 }).then(() =>
      copyRuns({ dist, folder, copies }),
    );
    await written;
    return {};
  };
  const what = `history of ${copies * runs} runs`;
  return {
    name: 'history',
    prepare,
    job: { measurement: 'history', folder },
    rows: [
      absolute(`${what}, its playgrounds`, 'ms', { max: 100 }, ({ listMs }) => listMs),
      absolute(`${what}, read for them`, 'KiB', { max: 16 * copies }, ({ listedKib }) => listedKib),
      absolute(`${what}, one of them opened`, 'ms', { max: 300 }, ({ openMs }) => openMs),
      absolute(`${what}, all of them searched`, 'ms', { max: 3000 }, ({ filterMs }) => filterMs),
      absolute(`${what}, read of the files in all`, '%', { max: 50 }, ({ readPercent }) => readPercent),
    ],
  };
}

/** @param old Bundles to compare with, if any. */
const toFirstPaint = ({ isQuick, old, clients }) => ({
  name: 'first-paint',
  clients,
  job: { measurement: 'first-paint', oldDist: old?.dist },
  slices: isQuick ? 1 : 15,
  rows: [
    absolute(
      'navigation until the script of the panel is read',
      'ms',
      { max: 40 },
      ({ loadedMs }) => loadedMs,
    ),
    absolute('navigation until the panel asks for the session', 'ms', { max: 150 }, ({ askedMs }) => askedMs),
    {
      title: 'navigation until the first frame with the snapshot',
      unit: 'ms',
      pick: ({ drawnMs }) => drawnMs,
      // Not slower than before, within the precision of a busy machine.
      ...(old ? { compare: 'ratio', goal: { max: 1.05 } } : { compare: 'absolute', goal: { max: 250 } }),
    },
  ],
});

/** @param dist Folder of the shipped bundles. */
export async function openSuite({ dist, isQuick, against }) {
  const hasPage = await findChromium('panel', isQuick);
  const old = hasPage && against !== undefined ? buildCommit(against) : undefined;
  const clients = old ? ['ours', against] : ['ours'];
  const scratch = mkdtempSync(join(tmpdir(), 'bench-'));
  const remove = () => rmSync(scratch, { recursive: true, force: true });
  process.once('exit', remove);
  const ofPage = [
    toFirstPaint({ isQuick, old, clients }),
    toManyCalls(isQuick),
    // Each of these takes long, so a quick run leaves them out.
    ...(isQuick ? [] : [toLongReply(), toLongTranscript()]),
  ];
  const scenarios = [
    ...(hasPage ? ofPage : []),
    toStreams(isQuick, hasPage),
    ...toStoredRuns({ dist, isQuick, scratch }),
    toHistory({ dist, isQuick, scratch }),
  ];
  return {
    title: 'The panel and its session',
    clients,
    subject: 'ours',
    reference: old ? against : undefined,
    scenarios: scenarios.map((scenario) => ({
      clients: ['ours'],
      ...scenario,
      script: new URL('../panel/measure.mjs', import.meta.url),
      job: { ...scenario.job, dist, isQuick },
    })),
    close() {
      remove();
      old?.remove();
    },
  };
}
