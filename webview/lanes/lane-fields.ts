// The text fields: the place of each in the document, how its text is parsed, and how its value is shown. A key is
// the name of a field, followed by the lane id if it belongs to a lane: `sampling.temperature a`. Pure.
import { t } from '@vscode/l10n';
import { DOCUMENT_LIMIT } from '../../src/protocol';
import type { DocumentEdit, DocumentLane, PlaygroundDocument } from '../../src/protocol';
import type { PanelState } from '../state/panel-state';
import {
  embeddedTextIndex,
  EMBEDDING_MODEL_KEY,
  embeddingForm,
  MAX_TEXT_LENGTH,
  embeddingEdit,
  typedEmbeddingForm,
} from './embedding-form';
import type { LimitKey } from './limit-fields';
import { LIMIT_FIELDS, parseLimit } from './limit-fields';
import type { ParsedField } from './parsed-field';
import { parseRaw, showRaw } from './raw-field';
import type { SamplingKey } from './sampling-fields';
import { parseSampling, SAMPLING_FIELDS, showSampling } from './sampling-fields';

interface Field {
  label: () => string;
  parse: (text: string) => ParsedField;
  /** Path within the document, or within its lane. */
  path: readonly string[];
  show: (document: PlaygroundDocument, lane: DocumentLane | undefined) => string;
}

const SEPARATOR = ' ';

export const fieldKey = (name: string, laneId = ''): string =>
  laneId === '' ? name : `${name}${SEPARATOR}${laneId}`;

function splitFieldKey(key: string): { name: string; laneId: string } {
  const [name = '', ...laneId] = key.split(SEPARATOR);
  return { name, laneId: laneId.join(SEPARATOR) };
}

/** Edit that gives a field this value; undefined for a field or lane that does not exist. */
export function fieldEdit(state: PanelState, key: string, value: unknown): DocumentEdit | undefined {
  const { name, laneId } = splitFieldKey(key);
  const textIndex = embeddedTextIndex(name);
  if (textIndex !== undefined || name === EMBEDDING_MODEL_KEY) {
    const form = typedEmbeddingForm(state);
    if (textIndex === undefined) return { path: ['embedding'], value: { ...form, model: value } };
    if (textIndex >= form.texts.length) return undefined;
    const text = typeof value === 'string' ? value : '';
    return embeddingEdit(state, ({ texts }) => ({ texts: texts.with(textIndex, text) }));
  }
  const field = findField(name);
  const lanes = state.session.document?.document.lanes;
  if (!field || !lanes) return undefined;
  const place = laneId === '' ? [] : ['lanes', lanes.findIndex(({ id }) => id === laneId)];
  const edit = { path: [...place, ...field.path] };
  if (place[1] === -1) return undefined;
  return value === undefined ? edit : { ...edit, value };
}

export const parseField = (key: string, text: string): ParsedField =>
  findField(splitFieldKey(key).name)?.parse(text) ?? { problem: t('is not a field') };

/** The text that is being typed, otherwise the value of the document. */
export const fieldText = (state: PanelState, key: string): string =>
  state.view.fields.get(key) ?? documentText(state, key);

/** The value of the document in the form in which it would be typed. */
export function documentText(state: PanelState, key: string): string {
  const { name, laneId } = splitFieldKey(key);
  const textIndex = embeddedTextIndex(name);
  if (textIndex !== undefined) return embeddingForm(state).texts[textIndex] ?? '';
  if (name === EMBEDDING_MODEL_KEY) return embeddingForm(state).model;
  const { document } = state.session.document ?? {};
  if (!document) return '';
  return (
    findField(name)?.show(
      document,
      document.lanes.find(({ id }) => id === laneId),
    ) ?? ''
  );
}

/** Number of fields of a lane whose text does not parse. */
export function countLaneProblems(typed: ReadonlyMap<string, string>, laneId: string): number {
  return [...typed].filter(
    ([key, text]) => splitFieldKey(key).laneId === laneId && parseField(key, text).problem !== undefined,
  ).length;
}

/** Problem of the first field of a lane whose text does not parse, as a sentence. */
export function laneFieldProblem(typed: ReadonlyMap<string, string>, laneId: string): string | undefined {
  for (const [key, text] of typed) {
    const { name, laneId: owner } = splitFieldKey(key);
    const { problem } = owner === laneId ? parseField(key, text) : {};
    if (problem) return t('{0} {1}.', findField(name)?.label() ?? '', problem);
  }
  return undefined;
}

const asText = (text: string): ParsedField => ({ value: text === '' ? undefined : text });

function asName(text: string): ParsedField {
  const name = text.trim();
  if (name.length > DOCUMENT_LIMIT.name)
    return { problem: t('must not be longer than {0} characters', DOCUMENT_LIMIT.name) };
  return { value: name === '' ? undefined : name };
}

const PLAIN: ReadonlyMap<string, Field> = new Map<string, Field>([
  [
    'system',
    { label: () => t('System prompt'), path: ['system'], parse: asText, show: ({ system }) => system },
  ],
  [
    'lane.model',
    { label: () => t('Model'), path: ['model'], parse: asName, show: (_document, lane) => lane?.model ?? '' },
  ],
  [
    'lane.raw',
    {
      label: () => t('Raw keys'),
      path: ['raw'],
      parse: parseRaw,
      show: (_document, lane) => showRaw(lane?.raw),
    },
  ],
  [EMBEDDING_MODEL_KEY, { label: () => t('Model'), path: [], parse: asName, show: () => '' }],
]);

function findField(name: string): Field | undefined {
  const [group, key = ''] = name.split('.');
  if (group === 'sampling' && Object.hasOwn(SAMPLING_FIELDS, key)) return samplingField(key as SamplingKey);
  if (group === 'limits' && Object.hasOwn(LIMIT_FIELDS, key)) return limitField(key as LimitKey);
  return embeddedTextIndex(name) === undefined ? PLAIN.get(name) : EMBEDDED_TEXT;
}

const samplingField = (key: SamplingKey): Field => ({
  label: SAMPLING_FIELDS[key].label,
  path: ['sampling', key],
  parse: (text) => parseSampling(key, text),
  show: (_document, lane) => showSampling(lane?.sampling[key]),
});

const limitField = (key: LimitKey): Field => ({
  label: LIMIT_FIELDS[key].label,
  path: ['limits', key],
  parse: (text) => parseLimit(key, text),
  show: (_document, lane) => String(lane?.limits[key] ?? ''),
});

const EMBEDDED_TEXT: Field = {
  label: () => t('Text'),
  path: [],
  parse: (text) =>
    text.length > MAX_TEXT_LENGTH
      ? { problem: t('is longer than {0} characters', MAX_TEXT_LENGTH) }
      : { value: text },
  show: () => '',
};
