import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../src/session';
import { countOwn } from '../../../../webview/evaluate/own-rows';

const snapshotOf = (rows: unknown) => {
  const { document } = parseDocument(JSON.stringify({ version: 1, evaluate: { rows } }));
  if (!document) throw new Error('the document is not valid');
  return { document };
};

describe('countOwn', () => {
  it('counts the rows of the document that bring something along', () => {
    const rows = [
      { $expect: [{ calls: [] }] },
      { city: 'Oslo' },
      { $messages: '1', $expect: [{ calls: [] }] },
    ];
    expect(countOwn(snapshotOf(rows), '$expect')).toEqual({ own: 2, rows: 3 });
    expect(countOwn(snapshotOf(rows), '$messages')).toEqual({ own: 1, rows: 3 });
  });

  it('knows nothing of the rows of a file', () => {
    expect(countOwn(snapshotOf('rows.jsonl'), '$expect')).toEqual({ own: 0, rows: 0 });
    expect(countOwn(undefined, '$expect')).toEqual({ own: 0, rows: 0 });
  });
});
