// Texts × vectors: embeds, compares, and says what may be wrong. The vectors themselves stay here. Part of the engine; knows no
// vscode.
import { createRedactor } from '../../library';
import type { Providers } from '../../library';
import { compareVectors, diagnoseVectors } from '../../inspect';
import type { EmbeddingForm, EmbeddingOutcome, ErrorInfo } from '../../protocol';

/** Components of a vector that the panel shows. */
const SHOWN_COMPONENTS = 6;

export interface EmbeddingJob {
  form: EmbeddingForm;
  provider: Providers;
  connectionLabel: string;
  secrets: readonly string[];
  signal: AbortSignal;
  /** How often a try has failed and was followed by another one. */
  countRetries: () => number;
  explain: (error: unknown) => Promise<ErrorInfo>;
}

/** Never rejects: whatever happens is an outcome. */
export async function runEmbedding(job: EmbeddingJob): Promise<EmbeddingOutcome> {
  const { form, provider, connectionLabel, signal } = job;
  const { runId, model, texts } = form;
  const start = performance.now();
  const describe = (): Omit<EmbeddingOutcome, 'result' | 'usage' | 'error'> => ({
    runId,
    connectionLabel,
    model,
    durationMs: Math.round(performance.now() - start),
    tries: job.countRetries() + 1,
  });
  try {
    let usage: EmbeddingOutcome['usage'];
    const vectors = await provider.embedMany(texts, { signal, onUsage: (told) => (usage = told) });
    const described = describe();
    return { ...described, result: toResult(vectors, model), ...(usage && { usage }) };
  } catch (error) {
    const described = describe();
    const redactor = createRedactor(job.secrets);
    return { ...described, error: redactor.value(await job.explain(error)) };
  }
}

function toResult(vectors: readonly (readonly number[])[], model: string): EmbeddingOutcome['result'] {
  const comparison = compareVectors(vectors);
  return {
    vectors: comparison.shapes.map(({ dimension, norm }, index) => ({
      dimension,
      norm: Number.isNaN(norm) ? null : norm,
      head: (vectors[index] ?? []).slice(0, SHOWN_COMPONENTS),
    })),
    similarity: comparison.similarity,
    findings: diagnoseVectors(comparison, model),
  };
}
