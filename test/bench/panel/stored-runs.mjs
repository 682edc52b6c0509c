// A playground with many stored runs from earlier sessions: from the store to the first snapshot. Independent of
// the page.
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadEngine, openSession, SECRET, toDocument } from './scripted-session.mjs';
import { prose } from './texts.mjs';

export const SESSION_ID = 'scratch:bench';
const LANES = 2;

export const openStore = (engine, folder) =>
  new engine.FileRunStore({
    folder,
    limits: () => ({ maxBytes: 2 ** 31, maxRuns: 1_000_000 }),
    redact: engine.createRedactor([SECRET]).value,
    onProblem: (problem) => process.stderr.write(`${problem}\n`),
  });

/**
 * Writes the runs like a session does.
 * @param length Length of each reply in characters.
 * @returns the text of the document that they belong to.
 */
export async function writeRuns({ dist, folder, runs, length }) {
  const engine = loadEngine(dist);
  const { run, backing, close } = await openSession(engine, {
    id: SESSION_ID,
    text: toDocument(LANES),
    store: openStore(engine, folder),
    script: () => ({ content: prose(length), finishReason: 'stop' }),
  });
  for (let done = 0; done < runs / LANES; done += 1) await run(`Question ${done}`);
  await close();
  return backing.text;
}

/** Counts the bytes read from files through any handle. */
export async function countReads() {
  const handle = await open(fileURLToPath(import.meta.url));
  const prototype = Object.getPrototypeOf(handle);
  await handle.close();
  const counted = { bytes: 0 };
  const { read } = prototype;
  prototype.read = async function (...args) {
    const result = await read.apply(this, args);
    counted.bytes += result.bytesRead;
    return result;
  };
  return counted;
}

/** @param job.hasIndex Whether there is an index; if not, the window crashed before one was written. */
export async function measureStoredRuns({ dist, folder, text, hasIndex }) {
  const engine = loadEngine(dist);
  const own = mkdtempSync(join(tmpdir(), 'bench-'));
  const remove = () => rmSync(own, { recursive: true, force: true });
  process.once('exit', remove);
  cpSync(folder, own, { recursive: true });
  const isIndex = (name) => name.endsWith('.index.json');
  if (!hasIndex) for (const name of readdirSync(own).filter(isIndex)) rmSync(join(own, name));
  const stored = readdirSync(own).reduce((sum, name) => sum + statSync(join(own, name)).size, 0);
  const counted = await countReads();
  let sample;
  return {
    async step() {
      const start = performance.now();
      const store = openStore(engine, own);
      const opened = await openSession(engine, { id: SESSION_ID, text, store, script: () => ({}) });
      const snapshot = JSON.stringify(opened.view.open());
      sample = {
        openMs: performance.now() - start,
        readMib: counted.bytes / 2 ** 20,
        readPercent: (counted.bytes / stored) * 100,
        snapshotKib: snapshot.length / 1024,
      };
      await opened.close();
      remove();
    },
    sample: () => sample,
  };
}
