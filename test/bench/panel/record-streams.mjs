// Streams replies in all lanes at once through a real session, and records what it sends to its page and when.
// Independent of the page.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { loadEngine, openMemoryStore, openSession, toDocument } from './scripted-session.mjs';
import { textCall, word } from './texts.mjs';

const TICK_MS = 5;

/** Each lane writes something different: prose, reasoning first, a call as text, a single line without an end. */
const STYLES = [
  (index) => ({ content: word(index) }),
  (index, count) => (index < count / 2 ? { reasoning: word(index) } : { content: word(index) }),
  (index) => ({ content: index === 40 ? textCall('Oslo') : word(index) }),
  (index) => ({ content: word(index).replaceAll('\n', ' ') }),
];

/** Emits all deltas evenly within the time, and returns the complete reply. */
async function stream({ emit, style, count, durationMs }) {
  const start = performance.now();
  let [content, reasoning] = ['', ''];
  for (let index = 0; index < count;) {
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    const due = Math.min(count, Math.ceil((count * (performance.now() - start)) / durationMs));
    for (; index < due; index += 1) {
      const delta = style(index, count);
      content += delta.content ?? '';
      reasoning += delta.reasoning ?? '';
      emit(delta);
    }
  }
  return { content, ...(reasoning !== '' && { reasoning }), finishReason: 'stop' };
}

/**
 * @param job.deltas Number of deltas of each reply.
 * @param job.replies Duration of each round of replies in milliseconds; rounds run one after the other.
 * @returns the first snapshot; for each round, the frames with their times and the cost of the session.
 */
export async function recordStreams({ dist, lanes, deltas, replies }) {
  const engine = loadEngine(dist);
  let [lines, start, durationMs] = [[], 0, 0];
  const { session, view, run, close } = await openSession(engine, {
    text: toDocument(lanes),
    store: openMemoryStore(engine),
    script: ({ model, emit }) => {
      const style = STYLES[Number(model.split('-').at(-1)) % STYLES.length];
      return stream({ emit, style, count: deltas, durationMs });
    },
    // Serialized, because an editor does that as well.
    onEvent: (name, data) =>
      lines.push({
        atMs: performance.now() - start,
        text: `${JSON.stringify({ kind: 'event', name, data })}\n`,
      }),
  });
  const opened = structuredClone(view.open());
  const rounds = [];
  for (const [number, roundMs] of replies.entries()) {
    [lines, start, durationMs] = [[], performance.now(), roundMs];
    const delay = monitorEventLoopDelay({ resolution: 1 });
    const cpu = process.cpuUsage();
    delay.enable();
    await run(`Question ${number + 1}`);
    delay.disable();
    const { user, system } = process.cpuUsage(cpu);
    // The last changes are sent within the next interval.
    await new Promise((resolve) => setTimeout(resolve, 100));
    rounds.push({ lines, cpuUs: user + system, longestBlockMs: delay.max / 1e6 });
  }
  const length = session.laneSnapshot('lane-0').entries.at(-1).outcome.reply.raw.content.length;
  await close();
  return { opened, rounds, length };
}
