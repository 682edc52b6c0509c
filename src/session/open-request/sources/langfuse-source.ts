// Reads the generations in an export of Langfuse: of a trace, of a list of observations, or one alone.
import { t } from '@vscode/l10n';
import { isRecord } from '../../../library';
import { durationOf, parseText, toFound, toTime } from '../chat-messages';
import type { FoundRequest, RequestSource } from '../found-request';
import { UnreadRequest } from '../found-request';

type Members = Record<string, unknown>;

export const LANGFUSE_SOURCE: RequestSource = {
  id: 'langfuse',
  title: () => t('Langfuse export'),
  reads: ({ json }) => (collect(json, 0).length > 0 ? 3 : 0),
  read: ({ json }) => {
    const found = collect(json, 0).flatMap(toRequest);
    if (found.length > 0) return found;
    throw new UnreadRequest(
      t('The export has no generation with its input.'),
      t('Export an observation of the type GENERATION, with input and output.'),
    );
  },
};

const MAX_DEPTH = 6;

function collect(value: unknown, depth: number): Members[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((one) => collect(one, depth + 1));
  if (!isRecord(value)) return [];
  if (value['type'] === 'GENERATION' && 'input' in value) return [value];
  return ['observations', 'data', 'trace', 'traces'].flatMap((name) => collect(value[name], depth + 1));
}

function toRequest(generation: Members): FoundRequest[] {
  const { name, model, modelParameters, input, output, startTime, endTime, usage, usageDetails } = generation;
  const asked = parseText(input);
  const { messages: inner, ...others } = isRecord(asked) && !('role' in asked) ? asked : {};
  const messages = Array.isArray(asked)
    ? asked
    : Array.isArray(inner)
      ? inner
      : inner === undefined
        ? [asked]
        : [];
  if (messages.length === 0 || messages[0] === null || messages[0] === undefined) return [];
  const startedAt = toTime(startTime);
  const counts = toRecord(usageDetails ?? usage);
  const said = parseText(output);
  return [
    toFound({
      title: typeof name === 'string' ? name : undefined,
      messages,
      body: { model, ...toRecord(parseText(modelParameters)), ...others },
      output: typeof said === 'string' ? { content: said } : Array.isArray(said) ? said[0] : said,
      usage: { input: counts['input'], output: counts['output'] },
      startedAt,
      durationMs: durationOf(startedAt, toTime(endTime)),
    }),
  ];
}

const toRecord = (value: unknown): Members => (isRecord(value) ? value : {});
