// Reads the last embedding of a session from its journal. One without an end becomes an interrupted one. Pure.
import { t } from '@vscode/l10n';
import type { EmbeddingOutcome, EmbeddingSnapshot, ErrorInfo } from '../../protocol';
import { readLine } from './journal-lines';
import type { Journal } from '../ports';

/** The last embedding of the journal. @returns undefined when there is none, or it cannot be read */
export function restoreEmbedding({
  lines,
}: Journal): Pick<EmbeddingSnapshot, 'labels' | 'outcome'> | undefined {
  const last = lines.findLast(({ kind }) => kind === 'embedding');
  const line = last && readLine(last);
  if (line?.kind !== 'embedding') return undefined;
  const { labels, begun, outcome } = line;
  if (outcome) return { labels, outcome };
  return begun && { labels, outcome: toInterrupted(begun) };
}

function toInterrupted(begun: Pick<EmbeddingOutcome, 'runId' | 'connectionId' | 'model'>): EmbeddingOutcome {
  return {
    ...begun,
    connectionLabel: begun.connectionId,
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
