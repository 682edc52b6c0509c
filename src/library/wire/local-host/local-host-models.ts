// Reads what a server of Ollama's protocol reports about its models: `/api/tags`, `/api/ps` and `/api/show`. Pure.
import type { ModelInfo } from '../../../types';
import { isRecord, toCount, toRecord, toText } from '../../util/json';
import type { JsonRecord } from '../../util/json';
import { pruneUndefined } from '../../util/prune-undefined';
import { readModelList } from '../model-list';
import { fromModelfileParameters } from '../sampling-defaults';

/**
 * Reads `GET {host}/api/tags`. Its capabilities come from a cache that lacks some; those of `/api/show` replace them.
 * @returns one sentence instead when the document has no list of models
 */
export function fromLocalHostModels(document: unknown): ModelInfo[] | string {
  const entries = readModelList(document, 'models', 'name');
  if (typeof entries === 'string') return entries;
  return entries.flatMap((entry) => {
    const id = toText(entry['name']);
    if (id === undefined) return [];
    const details = toRecord(entry['details']);
    const fields = {
      sizeBytes: toCount(entry['size']) || undefined,
      ...readDetails(details),
      maxContextLength: toCount(details['context_length']) || undefined,
      capabilities: toWords(entry['capabilities']),
    };
    return { id, ...pruneUndefined(fields) };
  });
}

/** Adds what `GET {host}/api/ps` reports: which models are loaded, and the context size of each. */
export function markRunning(models: readonly ModelInfo[], document: unknown): ModelInfo[] {
  const running = new Map(entriesOf(document).map((entry) => [toText(entry['name']), entry]));
  return models.map((model) => {
    const entry = running.get(model.id);
    if (!entry) return { ...model, isRunning: false };
    const contextLength = toCount(entry['context_length']) || undefined;
    return { ...model, isRunning: true, ...pruneUndefined({ contextLength }) };
  });
}

/** Adds the details of `POST {host}/api/show`, which the list lacks. */
export function withLocalHostDetails(model: ModelInfo, document: unknown): ModelInfo {
  const show = toRecord(document);
  const info = toRecord(show['model_info']);
  const architecture = toText(info['general.architecture']);
  const details = {
    ...readDetails(toRecord(show['details'])),
    maxContextLength: toCount(info[`${architecture}.context_length`]) || undefined,
    capabilities: toWords(show['capabilities']),
    samplingDefaults: fromModelfileParameters(show['parameters']),
  };
  return { ...model, ...pruneUndefined(details) };
}

function readDetails(details: JsonRecord): Pick<ModelInfo, 'parameterSize' | 'quantization'> {
  const quantization = toText(details['quantization_level']);
  return {
    parameterSize: toText(details['parameter_size']),
    quantization: quantization === 'unknown' ? undefined : quantization,
  };
}

function entriesOf(document: unknown): JsonRecord[] {
  const models = toRecord(document)['models'];
  return Array.isArray(models) ? models.filter(isRecord) : [];
}

function toWords(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((word) => typeof word === 'string') : undefined;
}
