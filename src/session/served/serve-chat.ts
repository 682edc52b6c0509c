// Answers a chat that another program asks for, such as the editor's own chat: sends it like any run, passes its prose on while it
// arrives, and stores it as a run of a journal, with what that program receives. Knows nothing of who asks.
import { t } from '@vscode/l10n';
import type { ChatDelta, Finding } from '../../types';
import { createRedactor } from '../../library';
import { countCalls } from '../history/replay-run';
import type { Journal } from '../ports';
import { appendLine } from '../journal/journal-lines';
import { appendRecord, appendSetup, appendWire, headOf } from '../journal/run-lines';
import type { StepServices } from '../run/chat-step';
import { ChatStep } from '../run/chat-step';
import { MemorySink } from '../run/memory-sink';
import type { RunRecord } from '../run/record/run-record';
import type { Asked } from '../run/setup';
import { openRun } from '../run/setup';
import { tellReceiver } from '../run/tell-receiver';
import type { DeliveredCalls, RepairArguments } from './deliver-calls';
import { deliverCalls } from './deliver-calls';

export interface ServedChat {
  asked: Asked;
  /** Who asks, as the history names it. */
  askedBy: string;
  /** What is known of the request before it is sent; they follow those of the run. @default none */
  findings?: readonly Finding[] | undefined;
  /** What receives the reply, as the subject of a sentence: `VS Code`. */
  receiver: string;
  repair: RepairArguments;
  signal: AbortSignal;
  /** Receives the prose without calls, in order; none of it repeats a secret of the connection. */
  onText: (text: string) => void;
  /** Receives the reasoning that the server sends apart from the content. */
  onReasoning: (text: string) => void;
}

export interface ServedReply {
  record: RunRecord;
  delivered: DeliveredCalls;
}

/** Never rejects: every failure is in the record. The part of a failed reply that was passed on stays passed on. */
export async function serveChat(
  journal: Journal,
  services: StepServices,
  { asked, askedBy, findings = [], receiver, repair, signal, onText, onReasoning }: ServedChat,
): Promise<ServedReply> {
  const { connection: connectionId, model = '' } = asked.lane;
  const runId = crypto.randomUUID();
  const opened = await openRun(services, asked, signal);
  const secrets = opened.connection?.secrets ?? [];
  const sink = new ServedSink(new MaskedText(secrets, onText), new MaskedText(secrets, onReasoning));
  const question = headOf(asked.messages.findLast(({ role }) => role === 'user')?.content ?? '');
  const ran = await new ChatStep(services, sink, {
    runId,
    begun: { connectionId, model },
    opened,
    callsBefore: { count: countCalls(asked.messages), rescued: 0 },
    signal,
  }).run();
  sink.end(ran.turn?.assistant.content ?? '');
  const delivered = deliverCalls(ran, asked.tools, repair);
  const told = tellDelivered(ran, receiver, delivered);
  const record = { ...told, findings: [...told.findings, ...findings], askedBy };
  appendLine(journal, {
    kind: 'replay',
    id: runId,
    at: record.startedAt,
    connectionId,
    model,
    question,
    askedBy,
  });
  for (const setup of sink.setups.values()) appendSetup(journal, runId, setup);
  const wire = sink.wires.get(runId);
  if (wire) appendWire(journal, runId, wire.record());
  appendRecord(journal, record);
  return { record, delivered };
}

function tellDelivered(record: RunRecord, receiver: string, { changed, broken }: DeliveredCalls): RunRecord {
  const told = tellReceiver(noteRepair(record, receiver, changed), receiver, changed);
  return broken === undefined
    ? told
    : { ...told, findings: [...told.findings, tellBroken(broken, receiver)] };
}

/** A list of runs shows the verdict alone, which is about what the model wrote. */
function noteRepair(record: RunRecord, receiver: string, changed: DeliveredCalls['changed']): RunRecord {
  if (!changed.some(({ from }) => from === 'arguments')) return record;
  const { kind, detail } = record.verdict;
  return { ...record, verdict: { kind, detail: t('{0}; repaired for {1}', detail, receiver) } };
}

const tellBroken = (name: string, receiver: string): Finding => ({
  cause: 'damaged-call',
  severity: 'info',
  what: t(
    '{0} received an error in place of the calls: the arguments of `{1}` cannot be read exactly.',
    receiver,
    name,
  ),
  tab: 'wire',
});

class ServedSink extends MemorySink {
  readonly #text: MaskedText;
  readonly #reasoning: MaskedText;
  #hasStreamed = false;

  constructor(text: MaskedText, reasoning: MaskedText) {
    super();
    this.#text = text;
    this.#reasoning = reasoning;
  }

  addDelta({ text, reasoning }: ChatDelta): void {
    this.#hasStreamed = true;
    if (reasoning) this.#reasoning.add(reasoning);
    if (text) this.#text.add(text);
  }

  /** @param prose That of the whole reply: a provider need not stream. */
  end(prose: string): void {
    if (!this.#hasStreamed) this.#text.add(prose);
    this.#reasoning.end();
    this.#text.end();
  }
}

/** A beginning of a secret that is no longer counts as none, but what was passed on cannot be taken back. In UTF-16 code units. */
const UNNOTICED = 3;

/** Passes a text on in pieces, without the secrets in it: what may be the beginning of one waits for the next piece. */
class MaskedText {
  readonly #mask: (text: string) => string;
  readonly #held: (text: string) => number;
  readonly #pass: (text: string) => void;
  #rest = '';

  constructor(secrets: readonly string[], pass: (text: string) => void) {
    const { value, held } = createRedactor(secrets);
    this.#mask = value;
    this.#held = held;
    this.#pass = pass;
  }

  add(piece: string): void {
    // Masked before it is cut, so that no secret is cut in two.
    const text = this.#mask(this.#rest + piece);
    const end = Math.max(0, text.length - Math.max(this.#held(text), UNNOTICED));
    this.#rest = text.slice(end);
    if (end > 0) this.#pass(text.slice(0, end));
  }

  end(): void {
    if (this.#rest !== '') this.#pass(this.#rest);
    this.#rest = '';
  }
}
