// Reads what a server of the OpenAI protocol reports about its models. The protocol itself defines only ids; each product
// adds fields of its own to `GET {host}/models`, or has a second route. Pure.
import type { ModelInfo, ServerProduct } from '../../../types';
import type { JsonRecord } from '../../util/json';
import { isRecord, toCount, toRecord, toText } from '../../util/json';
import { pruneUndefined } from '../../util/prune-undefined';
import { readModelList } from '../model-list';
import { fromLlamaServerDefaults } from '../sampling-defaults';

/** Products by the `owned_by` of their entries, as in the sources and replies of llama.cpp, vLLM and LM Studio. */
const PRODUCTS: Readonly<Record<string, ServerProduct>> = {
  llamacpp: 'llama-server',
  vllm: 'vllm',
  organization_owner: 'lm-studio',
};

/** Reads the list of models. @returns one sentence instead when the document has none */
export function fromHostedApiModels(document: unknown): ModelInfo[] | string {
  const entries = readModelList(document, 'data', 'id');
  if (typeof entries === 'string') return entries;
  return entries.flatMap((entry) => {
    const id = toText(entry['id']);
    return id === undefined ? [] : { id, ...pruneUndefined(readEntry(entry)) };
  });
}

export function findProduct(document: unknown): ServerProduct | undefined {
  const [owner] = entriesOf(document).map((entry) => toText(entry['owned_by']));
  return owner !== undefined && Object.hasOwn(PRODUCTS, owner) ? PRODUCTS[owner] : undefined;
}

/** Adds the details of LM Studio's own list, `GET /api/v0/models`, which has the same ids. */
export function withLmStudioDetails(models: readonly ModelInfo[], document: unknown): ModelInfo[] {
  const entries = new Map(entriesOf(document).map((entry) => [toText(entry['id']), entry]));
  return models.map((model) => {
    const entry = entries.get(model.id);
    if (!entry) return model;
    const type = toText(entry['type']);
    const hasTools = listOf(entry['capabilities'])?.includes('tool_use');
    const details = {
      quantization: toText(entry['quantization']),
      maxContextLength: toCount(entry['max_context_length']),
      contextLength: toCount(entry['loaded_context_length']),
      isRunning: typeof entry['state'] === 'string' ? entry['state'] === 'loaded' : undefined,
      capabilities:
        type === undefined
          ? undefined
          : toCapabilities({ embedding: type === 'embeddings', vision: type === 'vlm', tools: hasTools }),
    };
    return { ...model, ...pruneUndefined(details) };
  });
}

/**
 * Adds what llama-server's `GET /props` reports about the chat template and the weights, if the server has only one model.
 */
export function withLlamaServerDetails(models: readonly ModelInfo[], document: unknown): ModelInfo[] {
  const props = toRecord(document);
  const caps = toRecord(props['chat_template_caps']);
  const [model] = models;
  if (!model || models.length > 1) return [...models];
  const settings = toRecord(props['default_generation_settings']);
  const contextLength = toCount(settings['n_ctx']);
  const capabilities = toCapabilities({
    tools: caps['supports_tools'] === true,
    vision: toRecord(props['modalities'])['vision'] === true,
  });
  const isKnown = Object.keys(caps).length > 0;
  const details = {
    contextLength,
    capabilities: isKnown ? capabilities : undefined,
    samplingDefaults: fromLlamaServerDefaults(settings),
  };
  return [{ ...model, ...pruneUndefined(details) }];
}

/** Reads the fields of llama-server (`meta`), vLLM, OpenRouter, Groq, Mistral, Together and Anthropic. */
function readEntry(entry: JsonRecord): Omit<ModelInfo, 'id'> {
  const meta = toRecord(entry['meta']);
  const context =
    entry['max_model_len'] ??
    entry['context_length'] ??
    entry['context_window'] ??
    entry['max_input_tokens'] ??
    entry['max_context_length'];
  return {
    sizeBytes: toCount(meta['size']) || undefined,
    parameterSize: toParameterSize(toCount(meta['n_params'])),
    quantization: toText(meta['ftype']),
    maxContextLength: toCount(meta['n_ctx_train'] ?? context) || undefined,
    contextLength: toCount(meta['n_ctx']) || undefined,
    // llama-server and vLLM list only models that are loaded.
    isRunning: /^(llamacpp|vllm)$/.test(toText(entry['owned_by']) ?? '') ? true : undefined,
    capabilities: readCapabilities(entry),
  };
}

function readCapabilities(entry: JsonRecord): string[] | undefined {
  const parameters = listOf(entry['supported_parameters']);
  const inputs = listOf(toRecord(entry['architecture'])['input_modalities']);
  const own = entry['capabilities'];
  if (parameters) {
    return toCapabilities({ tools: parameters.includes('tools'), vision: inputs?.includes('image') });
  }
  if (isRecord(own) && own['function_calling'] !== undefined) {
    return toCapabilities({ tools: own['function_calling'] === true, vision: own['vision'] === true });
  }
  if (entry['type'] === 'embedding') return ['embedding'];
  return undefined;
}

/** The capabilities under Ollama's names. */
function toCapabilities(has: {
  embedding?: boolean;
  tools?: boolean | undefined;
  vision?: boolean | undefined;
}): string[] {
  if (has.embedding) return ['embedding'];
  return ['completion', ...(has.tools ? ['tools'] : []), ...(has.vision ? ['vision'] : [])];
}

/** The number of parameters as Ollama prints it, such as `8.2B` or `523K`. */
function toParameterSize(count: number | undefined): string | undefined {
  if (!count) return undefined;
  const units: [number, string][] = [
    [1e9, 'B'],
    [1e6, 'M'],
    [1e3, 'K'],
  ];
  const [size, unit] = units.find(([least]) => count >= least) ?? [1, ''];
  return `${Number((count / size).toFixed(count / size < 10 ? 1 : 0))}${unit}`;
}

const listOf = (value: unknown): unknown[] | undefined => (Array.isArray(value) ? value : undefined);

function entriesOf(document: unknown): JsonRecord[] {
  const data = Array.isArray(document) ? document : toRecord(document)['data'];
  return Array.isArray(data) ? data.filter(isRecord) : [];
}
