import { describe, expect, it } from 'vitest';
import { RESCUE_FORMATS } from '../../../../src/library/rescue/formats/index';
import { rescueToolCalls } from '../../../../src/library/rescue/rescue-tool-calls';
import { CORPUS, kindsOf, OWN_CORPUS, toolsOf, toPlain } from './rescue-fixtures';

const ALL = [...CORPUS, ...OWN_CORPUS];

describe('rescueToolCalls on our own corpus', () => {
  it('has unique ids in both corpora, and a source for every case of our own', () => {
    const ids = ALL.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(OWN_CORPUS.length).toBeGreaterThan(300);
    expect(OWN_CORPUS.filter(({ source }) => !source).map(({ id }) => id)).toEqual([]);
  });

  it.each(OWN_CORPUS)('$id ($kind, $format): $source', (item) => {
    const { calls, content, rejected } = rescueToolCalls(item.text, toolsOf(item.tools));
    expect(calls.map(toPlain)).toEqual(item.expected.map(toPlain));
    for (const { format } of calls)
      if (item.format !== 'none') expect([item.format, item.alt_format]).toContain(format);
    expect(calls.flatMap(({ repairs }) => kindsOf(repairs))).toEqual(
      expect.arrayContaining(item.repairs ?? []),
    );
    if (item.kind === 'clean' || item.kind === 'multi')
      expect(calls.flatMap(({ repairs }) => repairs)).toEqual([]);
    if (item.remaining !== undefined) expect(content).toBe(item.remaining.trim());
    if (item.reject) expect(rejected.map(({ reason }) => reason)).toContain(item.reject);
  });
});

describe('the two corpora', () => {
  const has = (id: string, kind: string): boolean =>
    ALL.some(
      (item) => item.kind === kind && (item.format === id || (kind !== 'negative' && item.alt_format === id)),
    );

  it('have clean and damaged replies of every format, and replies with several calls unless it allows only one', () => {
    const missing = RESCUE_FORMATS.flatMap(({ id, isSingle }) =>
      ['clean', 'malformed', ...(isSingle ? [] : ['multi'])]
        .filter((kind) => !has(id, kind))
        .map((kind) => `${id}: ${kind}`),
    );
    expect(missing).toEqual([]);
  });
});
