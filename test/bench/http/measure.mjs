// Runs one measurement of one client. The warm-up is part of opening it, because only steps are measured.
import { measureHeld } from './measure-held.mjs';

const CLIENTS = {
  undici: './undici-client.mjs',
  ours: './our-client.mjs',
  official: './official-client.mjs',
};

export async function openMeasurement(job) {
  const { openClient } = await import(CLIENTS[job.client]);
  const client = openClient(job);
  const measure = MEASUREMENTS[job.measurement];
  return measure(job, client, openClient);
}

/** CPU time of all threads since `start`, in microseconds; the garbage that a call leaves is part of its cost. */
function cpuSince(start) {
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/**
 * Mean of the middle half of the steps: other load of the machine and compilation affect only a few steps. Garbage
 * of the calls is collected several times in each.
 */
function middleMean(steps) {
  const sorted = steps.toSorted((a, b) => a - b);
  const cut = Math.floor(sorted.length / 4);
  const middle = sorted.slice(cut, sorted.length - cut);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

async function repeat(count, work) {
  for (let done = 0; done < count; done += 1) await work();
}

async function measureSequential({ warmUp, count, toolCalls }, { chat }) {
  await repeat(warmUp, chat);
  const times = [];
  const steps = [];
  let reply;
  return {
    async step() {
      const start = process.cpuUsage();
      for (let done = 0; done < count; done += 1) {
        const before = performance.now();
        reply = await chat();
        times.push(performance.now() - before);
      }
      steps.push(cpuSince(start) / count);
    },
    sample() {
      const { content } = reply.assistant ?? reply;
      if (content === '' || reply.toolCalls.length !== toolCalls)
        throw new Error('the reply was not understood');
      return {
        cpuUs: middleMean(steps),
        medianUs: times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] * 1000,
        peakMib: process.resourceUsage().maxRSS / 1024,
      };
    },
  };
}

/** The first call of a process, whose code is loaded but not compiled yet. */
function measureFirst(job, { chat }) {
  performance.now(); // loads it, as the extension host does long before
  let cpuUs = 0;
  return {
    async step() {
      globalThis.gc();
      const start = process.cpuUsage();
      await chat();
      cpuUs = cpuSince(start);
    },
    sample: () => ({ cpuUs }),
  };
}

async function measureConcurrent({ warmUp, count, atOnce }, { chat }) {
  const run = async (total) => {
    let left = total;
    const work = async () => {
      while (left-- > 0) await chat();
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  };
  await run(warmUp);
  const [steps, rates] = [[], []];
  return {
    async step() {
      const start = process.cpuUsage();
      const before = performance.now();
      await run(count);
      rates.push((count * 1000) / (performance.now() - before));
      steps.push(cpuSince(start) / count);
    },
    sample: () => ({ cpuUs: middleMean(steps), perSecond: middleMean(rates) }),
  };
}

async function measureStream({ warmUp, count, deltasPerStream }, { stream }) {
  let deltas = 0;
  const steps = [];
  const read = () => stream(() => (deltas += 1));
  await repeat(warmUp, read);
  return {
    async step() {
      const before = deltas;
      const start = process.cpuUsage();
      await repeat(count, read);
      steps.push(cpuSince(start) / (count * deltasPerStream));
      if (deltas - before !== count * deltasPerStream) throw new Error(`${deltas - before} deltas came`);
    },
    sample: () => ({ cpuUs: middleMean(steps) }),
  };
}

const MEASUREMENTS = {
  first: measureFirst,
  sequential: measureSequential,
  concurrent: measureConcurrent,
  stream: measureStream,
  held: measureHeld,
};
