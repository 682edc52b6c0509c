// Sends one message and shows the reply as it arrives, or gives the whole turn as JSON.
import { t } from '@vscode/l10n';
import { toLabel } from '../../inspect';
import type { AgentEnding } from '../../protocol';
import type { RunRecord } from '../../session';
import { MemorySink, openRun, RequestGate, runOnce, SYSTEM_CLOCK } from '../../session';
import type { Call, ExitCode } from '../command';
import { EXIT } from '../command';
import { openConnections } from '../connections/open-connections';
import { toolsFrom } from '../files/near-files';
import { toJsonText } from '../json-text';
import type { Terminal } from '../terminal';
import type { RunOptions } from './options';
import { readRun } from './read-run';
import { ReplyWriter } from './reply-writer';

const ignore = (): void => undefined;

/** @throws CommandError */
export async function runRun({ values, operands, terminal }: Call<RunOptions>): Promise<ExitCode> {
  const { talk, output } = terminal;
  const connections = await openConnections(values, terminal);
  const stop = new AbortController();
  try {
    const { path, asked, isAgent } = await readRun(values, operands, terminal, connections);
    const sink = values.json ? new MemorySink() : new ReplyWriter(terminal, SYSTEM_CLOCK);
    const endInterrupts = terminal.onInterrupt(() => interrupt(stop, terminal));
    const services = {
      connections: connections.source,
      tools: toolsFrom(terminal.folder)(path),
      gate: new RequestGate(() => 1),
      clock: SYSTEM_CLOCK,
      // The warnings are about retries.
      log: { info: ignore, warn: (line: string) => talk.write(`${toLabel(line, 400)}\n`), error: ignore },
      knownConnections: () => connections.views,
    };
    const { signal } = stop;
    const opened = await openRun(services, asked, signal);
    const ending = await runOnce(services, sink, { opened, isAgent, signal });
    endInterrupts();
    if (values.json) output.write(toJsonText(toDocument(sink, ending)));
    else if (ending) sayEnding(ending, terminal);
    if (stop.signal.aborted) return EXIT.interrupted;
    return sink.records.at(-1)?.turn && isAnswer(ending) ? EXIT.done : EXIT.unmet;
  } finally {
    await connections.close();
  }
}

/** The first stops, the second ends everything. */
function interrupt(stop: AbortController, { talk }: Terminal): void {
  if (stop.signal.aborted) process.exit(EXIT.interrupted);
  stop.abort(new Error('interrupted'));
  talk.write(`${t('Stopping. Press Ctrl+C again to end at once.')}\n`);
}

const isAnswer = (ending: AgentEnding | undefined): boolean =>
  ending === undefined || ending.stopReason === 'answer';

const REASONS: Record<AgentEnding['stopReason'], () => string> = {
  answer: () => t('The model answered.'),
  'max-steps': () => t('Ended by --max-steps, before the model answered.'),
  budget: () => t('Ended by a limit of the lane, before the model answered.'),
  stopped: () => t('Stopped.'),
  interrupted: () => t('Stopped.'),
  error: () => t('Ended by an error.'),
};

function sayEnding({ stopReason, detail }: AgentEnding, { talk }: Terminal): void {
  const said = [REASONS[stopReason](), detail === undefined ? '' : toLabel(detail, 400)];
  const color = stopReason === 'answer' ? 'dim' : 'yellow';
  talk.write(`${talk.style(color, said.filter((part) => part !== '').join(' '))}\n`);
}

/** The last turn; of an agent run also every step, with the results of its calls, and how it ended. */
function toDocument(sink: MemorySink, ending: AgentEnding | undefined): object {
  const turns = sink.items.flatMap((item) =>
    item.kind === 'run' && item.record
      ? [
          {
            ...toTurn(item.record),
            results: [...item.results].map(([call, result]) => ({ call, ...result })),
          },
        ]
      : [],
  );
  const { results, ...last } = turns.at(-1) ?? { results: [] };
  return ending ? { ...last, ending, steps: turns } : { ...last, ...(results.length > 0 && { results }) };
}

function toTurn({ turn, error, partial, ledger, findings, verdict, ...record }: RunRecord): object {
  const { connectionId, connectionLabel, durationMs, firstTokenMs, schemaIssues = {} } = record;
  return {
    connection: connectionId,
    label: connectionLabel,
    model: turn?.raw.model ?? record.model,
    verdict,
    ...(turn && {
      content: turn.assistant.content,
      toolCalls: turn.toolCalls,
      usage: turn.usage,
      finishReason: turn.raw.finishReason,
      reasoning: turn.raw.reasoning,
      raw: turn.raw,
      rescue: turn.rescue,
    }),
    ...(Object.keys(schemaIssues).length > 0 && { schemaIssues }),
    // That a person stopped it is no error.
    ...(error && verdict.kind !== 'stopped' && { error }),
    ...(partial && { partial }),
    attempts: ledger.length,
    ledger,
    findings,
    durationMs,
    firstTokenMs,
  };
}
