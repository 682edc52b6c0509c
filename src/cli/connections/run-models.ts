// Asks connections for their models, all at the same time, and lists them.
import { toLabel } from '../../inspect';
import type { Call, ExitCode } from '../command';
import { EXIT } from '../command';
import { toJsonText } from '../json-text';
import { openConnections } from './open-connections';
import type { MODELS_OPTIONS } from './options';

/** @throws CommandError */
export async function runModels({
  values,
  operands,
  terminal,
}: Call<typeof MODELS_OPTIONS>): Promise<ExitCode> {
  const connections = await openConnections(values, terminal);
  const stop = new AbortController();
  const endInterrupts = terminal.onInterrupt(() => stop.abort(new Error('interrupted')));
  try {
    const named = new Set(operands.map((id) => connections.view(id)));
    const chosen = connections.views.filter((view) => named.size === 0 || named.has(view));
    const lists = await Promise.all(
      chosen.map(async (view) => {
        const { id, label, address, needsKey, hasKey } = view;
        if (needsKey && !hasKey) {
          const { message: what, why, next } = connections.missingKey(view);
          return { connection: id, label, address, error: { code: 'no-key', what, why, next } };
        }
        const listed = await connections.listModels(id, stop.signal).then(
          ({ models }) => ({ models }),
          async (error: unknown) => ({ error: await connections.source.explain(error, id) }),
        );
        return { connection: id, label, address, ...listed };
      }),
    );
    if (stop.signal.aborted) return EXIT.interrupted;
    if (values.json) terminal.output.write(toJsonText(lists));
    else for (const list of lists) writeList(list, terminal);
    return lists.some((list) => 'error' in list) ? EXIT.unmet : EXIT.done;
  } finally {
    endInterrupts();
    await connections.close();
  }
}

interface List {
  connection: string;
  models?: readonly string[];
  error?: { what: string; why: string; next: string };
}

function writeList({ connection, models = [], error }: List, { output, talk }: Call['terminal']): void {
  for (const model of models) output.write(`${toLabel(connection)}\t${toLabel(model, 200)}\n`);
  if (error)
    talk.write(
      `${talk.style('red', toLabel(connection))}: ${[error.what, error.why, error.next]
        .filter(Boolean)
        .map((text) => toLabel(text, 400))
        .join(' ')}\n`,
    );
}
