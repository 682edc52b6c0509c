import { existsSync, statSync, truncateSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Journal, JournalLine } from '../../../../src/session';
import { anyText } from '../../../support/arbitrary/arbitrary-text';
import { ID, StoreFolder } from './store-folder';
import { fc, runs } from '../../../support/arbitrary/properties';

const json = fc.jsonValue({ maxDepth: 2 });
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('append' as const), text: anyText({ maxLength: 9 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('body' as const),
      key: fc.constantFrom('a', 'b', '__proto__'),
      value: json,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('flush' as const, 'reopen' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('cut' as const),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A journal, and everything that was appended to it. */
class Machine {
  readonly #folder = new StoreFolder();
  #journal: Journal | undefined;
  /** Numbered, so that lines can be identified. */
  #appended: JournalLine[] = [];
  #bodies: { key: string; value: unknown }[] = [];

  async run(steps: readonly Step[]): Promise<void> {
    for (const next of steps) await this.#do(next);
    await this.#reopen(true);
    await this.#journal?.close();
  }

  async #do(next: Step): Promise<void> {
    this.#journal ??= await this.#folder.store().open(ID);
    if (next.kind === 'append') this.#append({ text: next.text }, undefined);
    if (next.kind === 'body') this.#append({}, { key: next.key, value: next.value });
    if (next.kind === 'flush') await this.#journal.flush();
    if (next.kind === 'reopen') await this.#reopen(true);
    if (next.kind === 'crash') await this.#reopen(false);
    if (next.kind === 'cut') await this.#cut(next.share);
  }

  #append(line: JournalLine, body: { key: string; value: unknown } | undefined): void {
    const numbered = { ...line, number: this.#appended.length };
    this.#appended.push(numbered);
    if (body) this.#bodies.push(body);
    this.#journal?.append(numbered, body);
  }

  /** If the journal is not closed, data that was not flushed is lost. */
  async #reopen(isClosed: boolean): Promise<void> {
    await (isClosed ? this.#journal?.close() : undefined);
    const journal = await this.#folder.store().open(ID);
    const { lines } = journal;
    expect(this.#appended.slice(0, lines.length)).toEqual(lines);
    if (isClosed) expect(lines).toHaveLength(this.#appended.length);
    for (const key of ['a', 'b', '__proto__']) {
      const found = await journal.readBody(key);
      const appended = this.#bodies.filter((body) => body.key === key).map(({ value }) => normal(value));
      if (isClosed) expect(found).toEqual(appended.at(-1));
      else expect([undefined, ...appended]).toContainEqual(found);
    }
    await this.#continue(journal);
  }

  async #cut(share: number): Promise<void> {
    await this.#journal?.close();
    if (this.#folder.names().length > 0 && existsSync(this.#folder.file('.jsonl'))) {
      const path = this.#folder.file('.jsonl');
      truncateSync(path, Math.floor(statSync(path).size * share));
    }
    await this.#reopen(false);
  }

  /** From here on, data that was lost counts as never appended. */
  async #continue(journal: Journal): Promise<void> {
    this.#journal = journal;
    this.#appended = [...journal.lines];
    const kept = await Promise.all(
      ['a', 'b', '__proto__'].map(async (key) => ({ key, value: await journal.readBody(key) })),
    );
    this.#bodies = kept.filter(({ value }) => value !== undefined);
  }
}

const normal = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('FileRunStore', () => {
  test('returns a prefix of the appended lines, and correct bodies, wherever the file is truncated', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => new Machine().run(steps)),
      { numRuns: runs(150) },
    );
  });
});
