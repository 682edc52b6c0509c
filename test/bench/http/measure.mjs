// One client, one measurement. The warm-up belongs to opening it, since only steps are measured.
import { measureHeld } from './measure-held.mjs';

const CLIENTS = { undici: './undici-client.mjs', ours: './our-client.mjs' };

export async function openMeasurement(job) {
  const { openClient } = await import(CLIENTS[job.client]);
  const client = openClient(job);
  const measure = MEASUREMENTS[job.measurement];
  return measure(job, client, openClient);
}

/** CPU of all threads since `start`, in microseconds: the garbage that a call leaves is a part of its cost. */
function cpuSince(start) {
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

async function repeat(count, work) {
  for (let done = 0; done < count; done += 1) await work();
}

async function measureSequential({ warmUp, count, toolCalls }, { chat }) {
  await repeat(warmUp, chat);
  const times = [];
  let cpuUs = 0;
  let reply;
  return {
    async step() {
      const start = process.cpuUsage();
      for (let done = 0; done < count; done += 1) {
        const before = performance.now();
        reply = await chat();
        times.push(performance.now() - before);
      }
      cpuUs += cpuSince(start);
    },
    sample() {
      const { content } = reply.assistant ?? reply;
      if (content === '' || reply.toolCalls.length !== toolCalls)
        throw new Error('the reply was not understood');
      return {
        cpuUs: cpuUs / times.length,
        medianUs: times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] * 1000,
        peakMib: process.resourceUsage().maxRSS / 1024,
      };
    },
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
  let [calls, cpuUs, seconds] = [0, 0, 0];
  return {
    async step() {
      const start = process.cpuUsage();
      const before = performance.now();
      await run(count);
      seconds += (performance.now() - before) / 1000;
      cpuUs += cpuSince(start);
      calls += count;
    },
    sample: () => ({ cpuUs: cpuUs / calls, perSecond: calls / seconds }),
  };
}

async function measureStream({ warmUp, count, deltasPerStream }, { stream }) {
  let [deltas, cpuUs] = [0, 0];
  const follow = () => stream(() => (deltas += 1));
  await repeat(warmUp, follow);
  deltas = 0;
  return {
    async step() {
      const before = deltas;
      const start = process.cpuUsage();
      await repeat(count, follow);
      cpuUs += cpuSince(start);
      if (deltas - before !== count * deltasPerStream) throw new Error(`${deltas - before} deltas came`);
    },
    sample: () => ({ cpuUs: cpuUs / deltas }),
  };
}

const MEASUREMENTS = {
  sequential: measureSequential,
  concurrent: measureConcurrent,
  stream: measureStream,
  held: measureHeld,
};
