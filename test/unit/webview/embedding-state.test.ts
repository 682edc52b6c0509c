import { describe, expect, it } from 'vitest';
import type { EmbeddingOutcome } from '../../../src/protocol';
import {
  embeddingBlocker,
  filledTexts,
  MAX_TEXT_LENGTH,
  withEmbedding,
  withEmbeddingConnection,
  withEmbeddingDefaults,
  withEmbeddingEnded,
  withEmbeddingStarted,
  withoutText,
  withText,
} from '../../../webview/embedding-state';
import type { PlaygroundState } from '../../../webview/state';
import { withModels } from '../../../webview/state';
import { readyState } from './samples';

const outcome: EmbeddingOutcome = {
  runId: 'e1',
  connectionLabel: 'Demo',
  model: 'm',
  durationMs: 5,
  tries: 1,
};

const ready = (texts = ['one', 'two']): PlaygroundState =>
  withEmbedding(readyState(), { connectionId: 'demo', model: 'demo-embed', texts });

describe('the state of the embeddings', () => {
  it('starts with the connection of the lane and the model that embeds', () => {
    const list = { models: ['a', 'demo-embed'], embedModel: 'demo-embed' };
    const state = withEmbeddingDefaults(withModels(readyState(), 'demo', list));
    expect(state.embedding).toMatchObject({ connectionId: 'demo', model: 'demo-embed' });
    expect(withEmbeddingDefaults(state)).toBe(state);
  });

  it('leaves the model with the connection that has it', () => {
    expect(withEmbeddingConnection(ready(), 'hosted').embedding).toMatchObject({
      connectionId: 'hosted',
      model: '',
    });
    const same = ready();
    expect(withEmbeddingConnection(same, 'demo')).toBe(same);
  });

  it('changes and removes one text', () => {
    expect(withText(ready(), 1, 'deux').embedding.texts).toEqual(['one', 'deux']);
    expect(withoutText(ready(), 0).embedding.texts).toEqual(['two']);
  });

  it('keeps the texts that a result is about beside it, whatever is typed since', () => {
    let state = withEmbeddingStarted(ready(['one', ' ', 'two']), 'e1', 3);
    state = withText(state, 0, 'other');
    state = withEmbeddingEnded(state, 'e1', { outcome });
    expect(state.embedding).toMatchObject({ last: { labels: ['one', 'two'], outcome } });
    expect(state.embedding.pendingRunId).toBeUndefined();
    expect(withEmbeddingEnded(state, 'e0', { outcome })).toBe(state);
  });
});

describe('filledTexts', () => {
  it('leaves out what is empty', () => {
    expect(filledTexts(ready(['a', ' \n', 'b']).embedding)).toEqual(['a', 'b']);
  });
});

describe('embeddingBlocker', () => {
  it.each([
    ['nothing when all is there', ready(), undefined],
    ['a run under way', withEmbedding(ready(), { pendingRunId: 'e1' }), 'A run is under way.'],
    ['no connection', withEmbedding(ready(), { connectionId: 'gone' }), 'Choose a connection.'],
    ['no snapshot', { ...ready(), snapshot: undefined }, 'The connections are not known yet.'],
    ['no model', withEmbedding(ready(), { model: ' ' }), 'Choose a model that embeds.'],
    ['no text', ready(['', ' ']), 'Write a text to embed.'],
    [
      'a text that is too long',
      ready(['a', 'b'.repeat(MAX_TEXT_LENGTH + 1)]),
      `Text 2 is longer than ${MAX_TEXT_LENGTH} characters.`,
    ],
  ])('says %s', (_title, state, words) => expect(embeddingBlocker(state)).toBe(words));
});
