// /api/embed of the local protocol and the older /api/embeddings: the checks of an Ollama server in its order, with its
// error texts, and its responses. Pure.
import { embedText, shortenVector, toShortFloat } from '../model/embed-text';
import {
  NO_EMBEDDINGS,
  checkInputCount,
  countEmbeddingTokens,
  cutEmbeddingInput,
  toEmbeddingInput,
} from '../wire/embedding-input';
import type { EmbeddingInput } from '../wire/embedding-input';
import { isJsonObject } from '../wire/json-value';
import type { JsonObject } from '../wire/json-value';
import { expectField } from './local-fields';
import { readKeepAlive } from './local-keep-alive';
import { EMBEDDING_CONTEXT_LENGTH } from './local-models';
import { checkLocalOptions } from './local-options';
import { MODEL_NAME, readLocalObject, withoutTag } from './local-request';
import { toEmbeddingMetrics, toGoJson } from './local-wire';
import { findScenario } from '../scenarios';
import type { Scenario } from '../model/scenario';
import { numberIn, stringIn } from '../wire/wire-message';
import { WireError } from '../wire/wire-error';

export interface LocalEmbedding {
  scenario: Scenario;
  /** How long the model stays loaded, in milliseconds. */
  keepAliveMs: number;
  /** The body of the response. */
  answer: string;
}

/** @throws {WireError} with the server's status and text */
export function readLocalEmbed(body: string): LocalEmbedding {
  const embed = readLocalObject(body, 'EmbedRequest');
  checkFields(embed, 'EmbedRequest');
  const inputs = readInputs(embed['input']);
  const model = stringIn(embed['model']) ?? '';
  if (!MODEL_NAME.test(model)) throw new WireError(404, `model '${model}' not found`);
  const scenario = findEmbedder(embed, model, inputs.length > 0);
  const fitting = inputs.map((input) => fitInput(input, embed['truncate'] !== false));
  const dimensions = numberIn(embed['dimensions']) ?? 0;
  const embeddings = fitting.map((input) =>
    shortenVector(embedText(input.text), dimensions).map((value) => toShortFloat(value)),
  );
  const metrics = toEmbeddingMetrics(countEmbeddingTokens(fitting));
  const answer = toGoJson({ model, embeddings, ...metrics });
  return { scenario, keepAliveMs: readKeepAlive(embed['keep_alive']), answer };
}

/** The older endpoint: one text, one vector, in double precision. @throws {WireError} with the server's status and text */
export function readLocalEmbeddings(body: string): LocalEmbedding {
  const embed = readLocalObject(body, 'EmbeddingRequest');
  checkFields(embed, 'EmbeddingRequest');
  expectField(embed, 'prompt', 'string', 'EmbeddingRequest.prompt of type string');
  const model = stringIn(embed['model']) ?? '';
  if (!MODEL_NAME.test(model)) throw new WireError(400, 'model is required');
  const prompt = stringIn(embed['prompt']) ?? '';
  const scenario = findEmbedder(embed, model, prompt !== '');
  const embedding = prompt === '' ? [] : embedText(fitInput(toEmbeddingInput(prompt), true).text);
  return { scenario, keepAliveMs: readKeepAlive(embed['keep_alive']), answer: toGoJson({ embedding }) };
}

function checkFields(embed: JsonObject, goType: string): void {
  expectField(embed, 'model', 'string', `${goType}.model of type string`);
  readKeepAlive(embed['keep_alive']);
  expectField(embed, 'truncate', 'bool', `${goType}.truncate of type bool`);
  expectField(embed, 'dimensions', 'number', `${goType}.dimensions of type int`);
  expectField(embed, 'options', 'object', `${goType}.options of type map[string]interface {}`);
}

/** An empty text is no input, but an empty text in a list is one. */
function readInputs(input: unknown): EmbeddingInput[] {
  if (input === undefined || input === null || input === '') return [];
  const texts: unknown[] = Array.isArray(input) ? input : [input];
  checkInputCount(texts);
  return texts.map((text) => {
    if (typeof text !== 'string') throw new WireError(400, 'invalid input type');
    return toEmbeddingInput(text);
  });
}

/** Only the runner notices that a model makes no embeddings, and without an input the runner is not called. */
function findEmbedder(embed: JsonObject, model: string, hasInput: boolean): Scenario {
  const scenario = findScenario(withoutTag(model));
  if (!scenario) throw new WireError(404, `model "${model}" not found, try pulling it first`);
  checkLocalOptions(isJsonObject(embed['options']) ? embed['options'] : {});
  if (hasInput && !scenario.isEmbedder) throw new WireError(501, NO_EMBEDDINGS);
  return scenario;
}

/** A text that is cut gets one token less than the limit, as in the real server. */
function fitInput(input: EmbeddingInput, isCutAllowed: boolean): EmbeddingInput {
  if (input.tokens <= EMBEDDING_CONTEXT_LENGTH) return input;
  if (!isCutAllowed) throw new WireError(400, 'the input length exceeds the context length');
  return cutEmbeddingInput(input, EMBEDDING_CONTEXT_LENGTH - 1);
}
