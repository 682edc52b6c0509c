// Sends samples while a person looks on and may stop it.
import { t } from '@vscode/l10n';
import type { Batch, EarlyEnd, PlannedSample, SampleEntry } from '../../session';
import { RequestGate, SYSTEM_CLOCK } from '../../session';
import { EXIT } from '../command';
import type { CommandConnections } from '../connections/open-connections';
import { toolsFrom } from '../files/near-files';
import type { Terminal } from '../terminal';
import { LiveView } from './live-view';
import type { RunLimits } from './read-options';
import { BatchRuns } from './run-batches';

export interface SendParts {
  batches: readonly Batch[];
  samples: ReadonlyMap<Batch, readonly PlannedSample[]>;
  connections: CommandConnections;
  limits: RunLimits;
  terminal: Terminal;
  isQuiet: boolean;
  /** @returns why no more samples are to be sent, if so */
  onSample: (batch: Batch, whole: SampleEntry) => string | undefined;
}

export interface Sent {
  /** Why it ended early, in the order of the batches. */
  ends: readonly EarlyEnd[];
  isInterrupted: boolean;
  /** Whether it ended because as many rows had failed as are allowed. */
  isBailed: boolean;
}

/** Never rejects. */
export async function sendSamples(parts: SendParts): Promise<Sent> {
  const { batches, samples, connections, limits, terminal, isQuiet, onSample } = parts;
  const view = isQuiet ? undefined : new LiveView(terminal.talk, SYSTEM_CLOCK);
  const runs = new BatchRuns({
    batches,
    samples,
    limits,
    services: {
      connections: connections.source,
      tools: toolsFrom(terminal.folder)(''),
      gate: new RequestGate(() => limits.concurrency),
      clock: SYSTEM_CLOCK,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      knownConnections: () => connections.views,
    },
    onSample: (batch, whole) => {
      const text = onSample(batch, whole);
      if (text !== undefined) runs.stop({ reason: 'failures', text });
    },
    onChange: () => view?.changed(),
  });
  let isInterrupted = false;
  const endInterrupts = terminal.onInterrupt(() => {
    // The second one ends everything: what a reply still brings is lost.
    if (isInterrupted) process.exit(EXIT.interrupted);
    isInterrupted = true;
    view?.say(t('Stopping; the report follows. Press Ctrl+C again to end at once.'));
    runs.stop({ reason: 'person', text: t('stopped by you') });
  });
  view?.follow(runs);
  const early = await runs.run();
  view?.end();
  endInterrupts();
  const ends = [...(early ? [early] : []), ...runs.ownEnds];
  return { ends, isInterrupted, isBailed: runs.isBailed };
}
