// Runs one scenario. Each round starts every client in a fresh process and lets them take turns, one slice of work
// at a time and in rotating order, so that other load of the machine affects all of them equally.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('child.mjs', import.meta.url));

/** Timeout in milliseconds, after which a silent client counts as hanging. */
const LIMIT_MS = 120_000;

/**
 * @param scenario `{ script, job, slices?, processes?, nodeArgs?, clients? }`: the script exports
 *   `openMeasurement(job)`, which receives the client's name in the job and returns `{ step(), sample() }`. A round
 *   is repeated with as many processes as given, for what happens only once in each.
 * @returns the samples of each client, in the order of the rounds.
 */
export async function runScenario(scenario, { clients, rounds }) {
  const samples = Object.fromEntries(clients.map((client) => [client, []]));
  for (let round = 0; round < rounds * (scenario.processes ?? 1); round += 1) {
    for (const [client, sample] of await runRound(scenario, clients, round)) samples[client].push(sample);
  }
  return samples;
}

async function runRound({ script, job, slices = 1, nodeArgs = [] }, clients, round) {
  const opened = [];
  try {
    for (const client of rotate(clients, round))
      opened.push({ client, child: await open(script, { ...job, client }, nodeArgs) });
    for (let slice = 0; slice < slices; slice += 1) {
      for (const { child } of rotate(opened, slice)) await ask(child, 'step');
    }
    const samples = [];
    for (const { client, child } of opened) samples.push([client, await ask(child, 'sample')]);
    return samples;
  } finally {
    for (const { child } of opened) child.kill();
  }
}

const rotate = (list, by) => list.map((_, place) => list[(by + place) % list.length]);

async function open(script, job, nodeArgs) {
  const child = fork(CHILD, [script.href, JSON.stringify(job)], { execArgv: nodeArgs });
  await answer(child);
  return child;
}

function ask(child, what) {
  child.send(what);
  return answer(child);
}

async function answer(child) {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(LIMIT_MS)]);
  const ended = once(child, 'exit', { signal }).then(([code, killed]) => {
    throw new Error(`a measurement ended with ${code ?? killed}`);
  });
  try {
    const [value] = await Promise.race([once(child, 'message', { signal }), ended]);
    return value;
  } finally {
    ended.catch(() => {});
    over.abort();
  }
}
