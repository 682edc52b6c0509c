// Reads the last embedding of a session from its journal. One without an end becomes an interrupted one. Pure.
import { t } from '@vscode/l10n';
import type { EmbeddingOutcome, EmbeddingSnapshot, ErrorInfo } from '../protocol';
import type { Journal } from './ports';
import { isRecord } from './tools/json-words';

/** The last embedding of the journal. @returns undefined when there is none, or it cannot be read */
export function restoreEmbedding({
  lines,
}: Journal): Pick<EmbeddingSnapshot, 'labels' | 'outcome'> | undefined {
  const line = lines.findLast(({ kind }) => kind === 'embedding');
  if (!line || !Array.isArray(line.labels)) return undefined;
  const labels = line.labels.map(String);
  if (isOutcome(line.outcome)) return { labels, outcome: line.outcome };
  return isRecord(line.begun) ? { labels, outcome: toInterrupted(line.begun) } : undefined;
}

/** Checks a stored outcome, which anybody may have changed, as far as a front end relies on it. */
function isOutcome(value: unknown): value is EmbeddingOutcome {
  if (!isRecord(value)) return false;
  const { result, error, usage } = value;
  return (
    TEXTS.every((key) => typeof value[key] === 'string') &&
    typeof value.durationMs === 'number' &&
    typeof value.attempts === 'number' &&
    (result === undefined || isResult(result)) &&
    (error === undefined || isErrorInfo(error)) &&
    (usage === undefined || isRecord(usage))
  );
}

const TEXTS = ['runId', 'connectionId', 'connectionLabel', 'model'];

const isResult = (value: unknown): boolean =>
  isRecord(value) &&
  Array.isArray(value.vectors) &&
  value.vectors.every((vector) => isRecord(vector) && Array.isArray(vector.head)) &&
  Array.isArray(value.similarity) &&
  value.similarity.every(Array.isArray) &&
  Array.isArray(value.findings) &&
  value.findings.every(isRecord);

const isErrorInfo = (value: unknown): boolean =>
  isRecord(value) && ['code', 'title', 'what', 'why', 'next'].every((key) => typeof value[key] === 'string');

function toInterrupted({ runId, connectionId, model }: Record<string, unknown>): EmbeddingOutcome {
  const connection = String(connectionId);
  return {
    runId: String(runId),
    connectionId: connection,
    connectionLabel: connection,
    model: String(model),
    durationMs: 0,
    attempts: 0,
    error: interruption(),
  };
}

const interruption = (): ErrorInfo => ({
  code: 'interrupted',
  title: t('Interrupted'),
  what: t('The playground was closed, moved or reloaded while the texts were embedded.'),
  why: t('A run ends when its playground is closed.'),
  next: t('Embed again.'),
});
