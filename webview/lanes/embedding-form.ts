// The request of the view *Embeddings*: the document's values, and defaults for those that are absent. Pure.
import { t } from '@vscode/l10n';
import type { DocumentEdit, EmbeddingSnapshot } from '../../src/protocol';
import type { PanelState } from '../state/panel-state';
import { documentBlocker } from './lane-queries';

export const MAX_TEXTS = 24;
/** Maximum length of each text, in characters. */
export const MAX_TEXT_LENGTH = 8000;

/** Field keys. */
export const EMBEDDING_MODEL_KEY = 'embedding.model';
export const embeddedTextKey = (index: number): string => `embedding.texts.${index}`;
/** @returns undefined for the key of another field. */
export function embeddedTextIndex(key: string): number | undefined {
  const match = /^embedding\.texts\.(\d{1,3})$/.exec(key);
  return match ? Number(match[1]) : undefined;
}

const SAMPLES: readonly string[] = [
  'Snow is falling in Oslo.',
  'In Oslo, snow falls today.',
  'The invoice is due on Friday.',
];

export interface EmbeddingForm {
  /** Id of the connection; '' if there is no lane to take it from. */
  connection: string;
  /** '' until an embedding model is known. */
  model: string;
  texts: readonly string[];
}

/** The document's values, by default the first lane's connection, an embedding model of it, and three samples. */
export function embeddingForm({ session, models }: PanelState): EmbeddingForm {
  const { embedding, lanes = [] } = session.document?.document ?? {};
  const connection = embedding?.connection ?? lanes[0]?.connection ?? '';
  return {
    connection,
    model: embedding?.model ?? models.get(connection)?.embedModel ?? '',
    texts: embedding?.texts ?? SAMPLES,
  };
}

/**
 * The form with the typed texts, from which every edit of it starts: edits of those may not have arrived in the document
 * yet, and would be undone.
 */
export function typedEmbeddingForm(state: PanelState): EmbeddingForm {
  const { connection, model, texts } = embeddingForm(state);
  const { fields } = state.view;
  const typed = texts.map((text, index) => {
    const own = fields.get(embeddedTextKey(index));
    return own === undefined || own.length > MAX_TEXT_LENGTH ? text : own;
  });
  return { connection, model: fields.get(EMBEDDING_MODEL_KEY)?.trim() ?? model, texts: typed };
}

/**
 * An edit of the whole form: its proposed values depend on the first lane and would change with it. A model that is still
 * unknown is left out, so that one is proposed once the server has listed its models.
 */
export function embeddingEdit(
  state: PanelState,
  change: (form: EmbeddingForm) => Partial<EmbeddingForm>,
): DocumentEdit {
  const form = typedEmbeddingForm(state);
  const { model, ...others } = { ...form, ...change(form) };
  return { path: ['embedding'], value: model === '' ? others : { ...others, model } };
}

/** Typed texts by field key after the text at this index was removed: each later one is at the index before. */
export const withoutText = (typed: ReadonlyMap<string, string>, index: number): Map<string, string> =>
  new Map(
    [...typed].flatMap(([key, text]): [string, string][] => {
      const at = embeddedTextIndex(key) ?? -1;
      if (at < index) return [[key, text]];
      return at === index ? [] : [[embeddedTextKey(at - 1), text]];
    }),
  );

/** Whether the document has all values, which a run requires. */
export function isEmbeddingComplete({ session }: PanelState): boolean {
  const { connection, model, texts } = session.document?.document.embedding ?? {};
  return connection !== undefined && model !== undefined && texts !== undefined;
}

/** Edits that write the values that the document lacks, as the form shows them. */
export const completingEdits = (state: PanelState): DocumentEdit[] =>
  isEmbeddingComplete(state) ? [] : [{ path: ['embedding'], value: typedEmbeddingForm(state) }];

export const isEmbedding = (snapshot: EmbeddingSnapshot | undefined): boolean =>
  snapshot?.since !== undefined;

/** @returns why nothing can be embedded, in one sentence; undefined when it can. */
export function embeddingBlocker(state: PanelState): string | undefined {
  const { session, view } = state;
  if (isEmbedding(session.embedding)) return t('An embedding is under way.');
  const problem = documentBlocker(session);
  if (problem !== undefined) return problem;
  const { connection: connectionId, model, texts } = typedEmbeddingForm(state);
  const connection = session.environment?.connections.find(({ id }) => id === connectionId);
  if (!connection)
    return session.environment ? t('Choose a connection.') : t('The connections are not known yet.');
  if (connection.problem) return connection.problem;
  if (model.trim() === '') return t('Choose an embedding model.');
  if (texts.every((text) => text.trim() === '')) return t('Write a text to embed.');
  const long = texts.findIndex(
    (text, index) => (view.fields.get(embeddedTextKey(index)) ?? text).length > MAX_TEXT_LENGTH,
  );
  return long < 0 ? undefined : t('Text {0} is longer than {1} characters.', long + 1, MAX_TEXT_LENGTH);
}
