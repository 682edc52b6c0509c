import { beforeEach, describe, expect, test } from 'vitest';
import { isRunDocument, toRunDocumentUri } from '../../../../src/host/wire/wire-uri';
import { resetEditor } from '../../../support/vscode/vscode-files';

beforeEach(resetEditor);

/** Local time, as a person sees it. */
const AT = new Date(2026, 4, 1, 9, 5, 30).getTime();
const pathOf = (model: string, runId = 'r1', at = AT): string =>
  toRunDocumentUri('scratch:1', { runId, model, at }).path;

describe('toRunDocumentUri', () => {
  test('names the document of a run after its model and its time', () => {
    expect(toRunDocumentUri('scratch:1', { runId: 'r1', model: 'first-look', at: AT })).toMatchObject({
      scheme: 'playground-run',
      path: '/r1/first-look 09-05-30.md',
      query: 'scratch:1',
    });
    expect(pathOf('first-look', 'r1', AT + 1000)).toBe('/r1/first-look 09-05-31.md');
  });

  test.each([
    ['meta-llama/Llama-3.1:8b', 'meta-llama-Llama-3.1-8b 09-05-30.md'],
    ['../../etc\u202e\n', 'etc 09-05-30.md'],
    ['模型', '模型 09-05-30.md'],
    ['', '09-05-30.md'],
    ['🙂', '09-05-30.md'],
    ['x'.repeat(500), `${'x'.repeat(60)} 09-05-30.md`],
  ])('keeps only safe characters of the model %j, and a bounded number', (model, name) => {
    expect(pathOf(model)).toBe(`/r1/${name}`);
    expect(isRunDocument(name)).toBe(true);
  });

  test('is a document whatever its name was in an earlier version', () => {
    expect([isRunDocument('run.md'), isRunDocument('attempt-1')]).toEqual([true, false]);
  });
});
