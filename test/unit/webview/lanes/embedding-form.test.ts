import { describe, expect, it } from 'vitest';
import {
  embeddingBlocker,
  embeddingForm,
  isEmbeddingComplete,
  MAX_TEXT_LENGTH,
} from '../../../../webview/lanes/embedding-form';
import type { PanelState } from '../../../../webview/state/panel-state';
import { toDocument, toLane, toPanel } from '../samples';

type Embedding = NonNullable<ReturnType<typeof toDocument>['document']['embedding']>;
const COMPLETE: Embedding = { connection: 'demo', model: 'demo-embed', texts: ['one', 'two'] };

function ready(embedding: Embedding = COMPLETE, change: Partial<PanelState> = {}): PanelState {
  const state = toPanel({ a: {} }, change);
  const document = toDocument([toLane('a')], {}, { embedding });
  return { ...state, session: { ...state.session, document } };
}

describe('embeddingForm', () => {
  it('defaults to the connection of the first lane, an embedding model, and sample texts', () => {
    const models = new Map([['demo', { status: 'ready' as const, models: [], embedModel: 'demo-embed' }]]);
    const form = embeddingForm(ready({}, { models }));
    expect(form).toMatchObject({ connection: 'demo', model: 'demo-embed' });
    expect(form.texts).toHaveLength(3);
    expect(isEmbeddingComplete(ready({}))).toBe(false);
  });

  it('shows the document if that is complete', () => {
    expect(embeddingForm(ready())).toEqual(COMPLETE);
    expect(isEmbeddingComplete(ready())).toBe(true);
  });
});

describe('embeddingBlocker', () => {
  const running = (state: PanelState): PanelState => ({
    ...state,
    session: { ...state.session, embedding: { version: 2, since: 1, labels: [] } },
  });

  const blocked = ({ session, ...state }: PanelState): PanelState => {
    const { document } = session;
    const blocker = 'system looks like a secret.';
    return { ...state, session: { ...session, document: document && { ...document, blocker } } };
  };

  it.each([
    ['nothing when all is there', ready(), undefined],
    ['what the session says', blocked(ready()), 'system looks like a secret.'],
    ['an embedding under way', running(ready()), 'An embedding is under way.'],
    ['no connection', ready({ ...COMPLETE, connection: 'gone' }), 'Choose a connection.'],
    ['no model', ready({ ...COMPLETE, model: ' ' }), 'Choose an embedding model.'],
    ['no text', ready({ ...COMPLETE, texts: ['', ' '] }), 'Write a text to embed.'],
    [
      'a text that is too long',
      ready({ ...COMPLETE, texts: ['a', 'b'.repeat(MAX_TEXT_LENGTH + 1)] }),
      `Text 2 is longer than ${MAX_TEXT_LENGTH} characters.`,
    ],
  ])('returns the reason for %s', (_title, state, words) => expect(embeddingBlocker(state)).toBe(words));
});
