import { render } from 'lit';
import { describe, expect, it } from 'vitest';
import type { EmbeddingOutcome, EmbeddingSnapshot } from '../../../../../src/protocol';
import { renderEmbeddingResult } from '../../../../../webview/components/embeddings/embedding-result';
import { hiddenIn, openPlayground } from '../../draw';
import { HOSTILE } from '../../samples';

const described = {
  runId: 'e1',
  connectionId: 'demo',
  connectionLabel: 'Demo',
  model: 'demo-embed',
  durationMs: 12,
  attempts: 1,
};
const vector = { dimension: 64, norm: 1, head: [0.5, -0.25] };

function draw(change: Partial<EmbeddingSnapshot>): HTMLElement {
  const { playground } = openPlayground({ now: 43_000 });
  playground.update((state) => ({
    ...state,
    session: { ...state.session, embedding: { version: 2, labels: [], ...change } },
  }));
  const root = document.createElement('div');
  render(renderEmbeddingResult(playground), root);
  return root;
}

const drawResult = (result: EmbeddingOutcome['result'], labels = ['cold', 'snow', HOSTILE]): HTMLElement =>
  draw({ labels, outcome: { ...described, result } });

const cellsOf = (root: HTMLElement): (string | undefined)[][] =>
  [...root.querySelectorAll('.heat tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].map(({ textContent }) => textContent),
  );

describe('renderEmbeddingResult', () => {
  it('shows each similarity as a number in a shaded cell', () => {
    const root = drawResult({
      vectors: [vector, vector, vector],
      similarity: [
        [1, 0.67, -0.3],
        [0.67, 1, -0.001],
        [-0.3, -0.001, 1],
      ],
      findings: [],
    });
    expect(cellsOf(root)).toEqual([
      ['1.00', '0.67', '-0.30'],
      ['0.67', '1.00', '0.00'],
      ['-0.30', '0.00', '1.00'],
    ]);
    const classes = [...root.querySelectorAll('.heat tbody tr:first-child td')].map(
      ({ className }) => className,
    );
    expect(classes).toEqual(['muted', 'heat-4', 'heat-below-2']);
    expect(root.textContent).toContain('Most similar: 1 and 2 (0.67). Least similar: 1 and 3 (-0.30).');
    expect(root.querySelector('img')).toBeNull();
    expect(root.querySelector('[style]')).toBeNull();
  });

  it('never rounds a similarity below 1 to 1.00', () => {
    const similarity = [[0.9961, 0.99999, 1 - 1e-12, -0.9961, 0.994]];
    const root = drawResult({ vectors: [vector], similarity, findings: [] });
    expect(cellsOf(root)).toEqual([['0.9961', '0.9999', '1.00', '-0.9961', '0.99']]);
  });

  it('shows dimension, length and first components, and a dash without a similarity', () => {
    const root = drawResult(
      {
        vectors: [
          { dimension: 2, norm: 0, head: [0, 0] },
          { ...vector, norm: 0.99999999 },
        ],
        similarity: [
          [null, null],
          [null, 1],
        ],
        findings: [{ severity: 'warning', what: 'The vector of text 1 has only zeros.' }],
      },
      ['a', 'b'],
    );
    expect(cellsOf(root)[0]).toEqual(['–', '–']);
    expect(root.textContent).toContain('0.5000, -0.2500, …');
    expect(root.textContent).toContain('The vector of text 1 has only zeros.');
    expect(root.textContent).not.toContain('Most similar');
    expect(root.querySelectorAll('tbody td.r')[1]?.textContent).toBe('0');
  });

  it.each([
    [undefined, 'Demo · 12 ms · not reported · no cost'],
    [{ promptTokens: 12 }, 'Demo · 12 ms · 12 tok in · no cost'],
    [{ promptTokens: 12, costUsd: 0.00012 }, 'Demo · 12 ms · 12 tok in · $0.00012'],
  ])('shows the tokens and the cost: %j', (usage, words) => {
    const result = { vectors: [vector], similarity: [[1]], findings: [] };
    const root = draw({ labels: ['a'], outcome: { ...described, result, usage } });
    expect(root.querySelector('p.num')?.textContent).toContain(words);
  });

  it('makes hidden characters in the labels of the texts visible', () => {
    const root = drawResult({ vectors: [vector], similarity: [[1]], findings: [] }, ['co\u202eld']);
    expect([...root.querySelectorAll('.label')].map(({ textContent }) => textContent.trim())).toEqual([
      '1 coU+202Eld',
      '1 coU+202Eld',
    ]);
    expect(hiddenIn(root)).toEqual([]);
  });

  it('distinguishes missing rates from missing usage', () => {
    const result = { vectors: [vector], similarity: [[1]], findings: [] };
    const root = draw({ labels: ['a'], outcome: { ...described, connectionId: 'hosted', result } });
    expect(root.querySelector('p.num')?.textContent).toContain('not reported · no usage');
  });

  it('shows a running embedding with a clock', () => {
    const root = draw({ since: 1000, labels: ['a', 'b'] });
    expect(root.textContent.replace(/\s+/g, ' ')).toContain('Embedding · 2 texts · 0:42');
  });

  it('shows what happened, why, and the next step; a stopped embedding is not shown as a failure', () => {
    const error = {
      code: 'http',
      title: 'Refused',
      what: HOSTILE,
      why: 'So.',
      next: 'Choose another model.',
    };
    const failed = draw({ labels: ['a'], outcome: { ...described, error } });
    expect(failed.querySelector('[role=alert]')?.textContent).toContain('Choose another model.');
    expect(failed.querySelector('img')).toBeNull();
    const stopped = draw({
      labels: ['a'],
      outcome: { ...described, error: { ...error, code: 'aborted' } },
    });
    expect(stopped.querySelector('[role=alert]')).toBeNull();
    expect(stopped.textContent).toContain('Stopped');
  });

  it('shows the next step before the first result', () => {
    expect(draw({}).textContent).toContain('Embed turns each text into a vector');
  });
});
