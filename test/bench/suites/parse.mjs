// The cost of finding the calls in a text, compared with a parser for a single format, a JSON repairer, and a bare
// search.
import { fileURLToPath } from 'node:url';
import { install, isInstalled } from '../../support/host/npm.mjs';
import { LOOPS } from '../parse/texts.mjs';

const KIB = 1024;
const MIB = 1024 * KIB;
const FOLDER = fileURLToPath(new URL('..', import.meta.url));
const PEERS = ['ai-sdk', 'jsonrepair'];

/** Name, description, size and number of texts, parsers that can read it, and the goal. */
const REPLIES = [
  ['clean', 'a clean reply of 300 characters', { warmUp: 20_000, count: 1000 }, 'all', { max: 5 }],
  ['clean-xml', 'the same in XML', { warmUp: 20_000, count: 1000 }, 'ours', { max: 9 }],
  [
    'prose-and-call',
    '10 KB of prose and a call',
    { length: 10 * KIB, warmUp: 4000, count: 200 },
    'finders',
    { max: 22 },
  ],
  ['prose', '1 MB of prose', { length: MIB, warmUp: 40, count: 4 }, 'finders', 'search'],
  [
    'wide-prose',
    '1 MB of prose, two bytes a character',
    { length: MIB, warmUp: 40, count: 4 },
    'finders',
    'search',
  ],
  ['argument', 'an argument of 64 KB', { length: 64 * KIB, warmUp: 400, count: 20 }, 'all', { max: 350 }],
  ['calls', '200 calls', { length: 200, warmUp: 200, count: 10 }, 'finders', { max: 800 }],
];

const toReply = ([name, title, job, readers, goal]) => ({
  name,
  job: { ...job, reply: name },
  slices: 20,
  canRead: (client) =>
    readers === 'all' || client === 'ours' || (readers === 'finders' && client !== 'jsonrepair'),
  rows: [
    {
      title,
      unit: 'µs',
      pick: ({ us }) => us,
      compare: goal === 'search' ? 'ratio' : 'absolute',
      goal: goal === 'search' ? { max: 3 } : goal,
    },
  ],
});

const toMs = (us) => us / 1000;

/** Only our parser: the others would take minutes. */
const toLoops = ([small, large]) => ({
  name: 'loops',
  job: { sizes: [small, large] },
  slices: 7,
  canRead: (client) => client === 'ours',
  rows: Object.keys(LOOPS).flatMap((name) => [
    {
      title: `1 MB of ${name}`,
      unit: 'ms',
      pick: (best) => toMs(best[name][1]),
      compare: 'absolute',
      goal: { max: 20 },
    },
    {
      title: `1 MB to 256 KB of ${name}`,
      unit: '×',
      pick: (best) => best[name][1] / best[name][0],
      compare: 'absolute',
      goal: { max: 4.6 },
    },
  ]),
});

/** All parsers, without a warm-up, as an editor would experience it. */
const toShortLoops = (size) => ({
  name: 'short-loops',
  job: { sizes: [size] },
  slices: 1,
  canRead: () => true,
  rows: Object.keys(LOOPS).map((name) => ({
    title: `64 KB of ${name}, the first time`,
    unit: 'ms',
    pick: (best) => toMs(best[name][0]),
    compare: 'absolute',
    goal: { max: 20 },
  })),
});

/** Installed on the first run, in a folder of their own; a quick run uses them only if they are installed. */
async function findPeers(isQuick) {
  if (!isInstalled(FOLDER)) {
    if (isQuick) return [];
    process.stderr.write('parse: installing the parsers to compare with from npm (about 10 MB, once)\n');
    try {
      await install(FOLDER, { args: ['--ignore-scripts', '--fetch-retries=0'] });
    } catch {
      process.stderr.write(
        'parse: they cannot be installed, as it seems without a network; measured without them\n',
      );
      return [];
    }
  }
  return PEERS;
}

/** @param dist Folder of the shipped bundles. */
export async function openSuite({ dist, isQuick }) {
  const clients = ['ours', ...(await findPeers(isQuick)), 'indexOf'];
  const scenarios = [
    ...REPLIES.map(toReply),
    toLoops(isQuick ? [KIB, 4 * KIB] : [MIB / 4, MIB]),
    toShortLoops(isQuick ? KIB : 64 * KIB),
  ];
  const few = (job) => ({
    ...(job.length > 200 && { length: 2 * KIB }),
    ...(job.count && { warmUp: 2, count: 2 }),
  });
  return {
    title: 'Finding the calls in a text',
    clients,
    subject: 'ours',
    reference: 'indexOf',
    scenarios: scenarios.map(({ canRead, ...scenario }) => ({
      ...scenario,
      clients: clients.filter(canRead),
      script: new URL('../parse/measure.mjs', import.meta.url),
      job: { ...scenario.job, ...(isQuick && few(scenario.job)), dist },
      slices: isQuick ? 1 : scenario.slices,
    })),
    close() {},
  };
}
