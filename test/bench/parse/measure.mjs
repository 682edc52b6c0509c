// Measures one parser with one kind of text. The best of all slices counts, because other load only makes a parser
// slower.
import { PARSERS } from './parsers.mjs';
import { LOOPS, REPLIES } from './texts.mjs';

export async function openMeasurement(job) {
  const parse = await PARSERS[job.client](job);
  return job.sizes === undefined ? measureReply(job, parse) : measureLoops(job, parse);
}

/** CPU time in microseconds, or the wall clock time where the system's resolution is too coarse. */
function time(work) {
  const cpu = process.cpuUsage();
  const start = performance.now();
  work();
  const wallUs = (performance.now() - start) * 1000;
  const { user, system } = process.cpuUsage(cpu);
  return Math.min(wallUs, user + system || Infinity);
}

function measureReply({ reply, length, warmUp, count }, parse) {
  const { text, calls } = REPLIES[reply](length);
  const found = parse(text).length;
  if (found !== calls) throw new Error(`${found} calls of ${calls} were found`);
  const run = (times) => {
    for (let done = 0; done < times; done += 1) parse(text);
  };
  run(warmUp);
  let best = Infinity;
  return {
    step() {
      best = Math.min(best, time(() => run(count)) / count);
    },
    sample: () => ({ us: best }),
  };
}

/** Another parser may refuse such a text; one that overflows the stack has not read it. */
function tryToRead(parse, text) {
  try {
    parse(text);
  } catch (error) {
    return error instanceof RangeError ? 'stack' : 'refused';
  }
  return 'read';
}

function measureLoops({ client, sizes }, parse) {
  const best = Object.fromEntries(Object.keys(LOOPS).map((name) => [name, sizes.map(() => Infinity)]));
  return {
    step() {
      for (const [name, toText] of Object.entries(LOOPS)) {
        for (const [index, size] of sizes.entries()) {
          const text = toText(size);
          let outcome = '';
          const us = time(() => {
            outcome = tryToRead(parse, text);
          });
          if (client === 'ours' && outcome !== 'read') throw new Error(`${name} at ${size}: ${outcome}`);
          best[name][index] = Math.min(best[name][index], us);
        }
      }
    },
    sample: () => best,
  };
}
