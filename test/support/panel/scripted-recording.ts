// A made-up recording as the page *Recording* is sent it: its snapshot, any number of requests, and one request in full.
import type {
  RecordedRow,
  RecordedView,
  RecordingSnapshot,
  RunEntry,
  SideView,
  WireView,
} from '../../../src/protocol';
import { RECORDING_LIMIT } from '../../../src/protocol';

const ROOT = 'http://127.0.0.1:41234/r/k3f9';
/** 14:02 by the clock of whoever looks. */
export const STARTED_AT = new Date(2026, 0, 15, 14, 2, 11).getTime();

export const scriptRecording = (change: Partial<RecordingSnapshot> = {}): RecordingSnapshot => ({
  version: 1,
  state: 'recording',
  address: `${ROOT}/v1`,
  root: ROOT,
  connection: { id: 'ollama', label: 'Local (Ollama)' },
  connections: [
    { id: 'ollama', label: 'Local (Ollama)' },
    { id: 'hosted', label: 'Hosted', problem: 'it has no base URL' },
  ],
  clients: [
    { kind: 'openai', baseUrl: `${ROOT}/v1` },
    { kind: 'ollama', baseUrl: ROOT },
  ],
  model: 'qwen3:8b',
  target: 'http://127.0.0.1:11434/v1',
  key: 'added',
  isRepairing: false,
  since: STARTED_AT,
  requestsLeaveFrom: 'this computer',
  first: 1,
  last: 0,
  ...change,
});

type Outcome = 'native' | 'rescued' | 'malformed' | 'none' | 'failed' | 'busy' | '';
type Line = [
  second: number,
  model: string,
  path: string,
  messages: number,
  tools: number,
  outcome: Outcome,
  tokens: number,
  firstByteMs: number,
  endMs: number,
  status: number,
];

const CHAT = '/v1/chat/completions';
/** What a program sends in a minute. */
const LINES: readonly Line[] = [
  [0, '', 'GET /v1/models', 0, 0, '', 0, 3, 4, 200],
  [3, 'qwen3:8b', CHAT, 2, 0, 'none', 412, 900, 1400, 200],
  [5, 'qwen3:8b', CHAT, 2, 11, 'native', 5120, 2100, 4000, 200],
  [10, 'qwen3:8b', CHAT, 4, 11, 'rescued', 5871, 1200, 3300, 200],
  [14, 'qwen3:8b', CHAT, 6, 11, 'malformed', 6440, 1300, 5600, 200],
  [22, 'qwen3:8b', CHAT, 8, 11, 'rescued', 7006, 1400, 2900, 200],
  [26, 'nomic-embed-text', '/api/embed', 0, 0, '', 96, 200, 210, 200],
  [30, 'qwen3:8b', CHAT, 9, 11, 'failed', 0, 0, 3200, 503],
  [35, 'qwen3:8b', CHAT, 9, 11, 'rescued', 7412, 1400, 3100, 200],
  [39, 'qwen3:8b', CHAT, 11, 11, 'busy', 0, 1500, 0, 0],
];

const DETAILS: Readonly<Record<Outcome, string>> = {
  native: '1 call',
  rescued: '1 call, hermes-json',
  malformed: 'arguments are no JSON',
  none: 'tools were offered and none was called',
  failed: '503',
  busy: '',
  '': '',
};

function toRow(number: number, line: Line, isRepaired: boolean): RecordedRow {
  const [second, model, where, messages, tools, outcome, tokens, firstByteMs, endMs, status] = line;
  const [path = '', method = 'POST'] = where.split(' ').toReversed();
  const isBusy = outcome === 'busy';
  const isChat = messages > 0;
  return {
    number,
    startedAt: STARTED_AT + second * 1000,
    program: where === '/api/embed' ? 'ollama-python/0.6.0' : 'opencode/1.0.55',
    method,
    path,
    ...(isChat && { session: number < 3 ? 1 : 2, messages, tools }),
    ...(model !== '' && { model }),
    ...(tokens > 0 && { tokens }),
    ...(firstByteMs > 0 && { firstByteMs }),
    ...(status > 0 && { status }),
    ...(isBusy ? { phase: 'reading' as const } : { endMs }),
    ...(outcome !== '' && !isBusy && { verdict: { kind: outcome, detail: DETAILS[outcome] } }),
    ...(isRepaired && outcome === 'rescued' && { isRepaired: true as const }),
    ...(isChat && !isBusy && { run: { laneId: 'recorded', runId: `run-${number}` } }),
  };
}

/** @param count Of the rows; after the first ten they repeat. */
export function scriptRequests(count: number, { isRepaired = false } = {}): RecordedRow[] {
  return Array.from({ length: count }, (_each, index) => {
    const line = LINES[index % LINES.length] ?? LINES[0];
    const isOld = count > LINES.length && line?.[5] === 'busy';
    const known: Line = isOld
      ? [39, 'qwen3:8b', CHAT, 11, 11, 'native', 7600, 1500, 4200, 200]
      : (line as Line);
    const row = toRow(index + 1, known, isRepaired);
    return { ...row, startedAt: row.startedAt + Math.floor(index / LINES.length) * 60_000 };
  });
}

/** As the host answers: a part of the rows. */
export const readRows = (rows: readonly RecordedRow[], { from }: { from: number }): RecordedRow[] =>
  rows.filter(({ number }) => number >= from).slice(0, RECORDING_LIMIT.rowsInFrame);

const CONTENT =
  'Let me check.\n<tool_call>\n{"name": "read_file", "arguments": {"path": "src/main.ts"}}\n</tool_call>';

const side = (url: string, responseBytes: number, events: number): SideView => ({
  url,
  requestBytes: 9100,
  responseBytes,
  status: 200,
  events,
  files: ['request.json', 'request.http', 'response.events', 'response.raw', 'headers.txt'],
});

const WIRE: WireView = {
  attempts: [
    {
      name: 'attempt-1',
      method: 'POST',
      url: `http://127.0.0.1:11434${CHAT}`,
      requestBytes: 9100,
      response: {
        status: 200,
        bytes: 2200,
        kind: 'events',
        contentType: 'text/event-stream',
        isComplete: true,
        omittedBytes: 0,
      },
      files: ['request.json', 'request.http', 'response.events', 'response.raw', 'headers.txt'],
    },
  ],
  copyForms: ['bash', 'powershell', 'openai'],
};

export function scriptRequest(row: RecordedRow): RecordedView {
  const { number, isRepaired, messages, path } = row;
  return {
    number,
    wire: messages === undefined ? { ...WIRE, copyForms: [] } : WIRE,
    ...(messages !== undefined && {
      asked: {
        roles: [
          { role: 'system', count: 1 },
          { role: 'user', count: 1 },
          { role: 'assistant', count: 4 },
          { role: 'tool', count: 3 },
        ],
        tools: ['read_file', 'write_file', 'search', 'list_files'],
        last: { role: 'tool', text: '{"files":["src/main.ts","src/lanes.ts"]}', length: 40 },
      },
    }),
    sides: {
      client: side(`${ROOT}${path}`, isRepaired ? 2600 : 2200, isRepaired ? 31 : 38),
      server: side(`http://127.0.0.1:11434${path}`, 2200, 38),
    },
    changedHeaders: ['authorization'],
    ...(isRepaired && {
      repair: {
        changes: [
          { field: 'content', from: CONTENT, to: 'Let me check.' },
          { field: 'tool_calls', to: 'read_file {"path":"src/main.ts"}' },
          { field: 'finish_reason', from: '"stop"', to: '"tool_calls"' },
        ],
        heldMs: 400,
      },
    }),
  };
}

/** The run of a chat whose reply has a call in its text. */
export function scriptRun({
  run,
  startedAt,
  endMs = 0,
  firstByteMs,
  model = '',
  isRepaired,
}: RecordedRow): RunEntry {
  const start = CONTENT.indexOf('<tool_call>');
  const call = {
    id: 'call-1',
    name: 'read_file',
    arguments: { path: 'src/main.ts' },
    source: 'rescued' as const,
  };
  const usage = { promptTokens: 7341, completionTokens: 71 };
  return {
    kind: 'run',
    id: run?.runId ?? '',
    results: {},
    outcome: {
      runId: run?.runId ?? '',
      connectionId: 'ollama',
      connectionLabel: 'Local (Ollama)',
      model,
      rescueToolCalls: true,
      startedAt,
      durationMs: endMs,
      firstTokenMs: firstByteMs,
      verdict: { kind: 'rescued', detail: '1 call, hermes-json' },
      reply: {
        raw: { content: CONTENT, toolCalls: [], attempts: 1, finishReason: 'stop', model, usage },
        toolCalls: [call],
        content: 'Let me check.',
        rescue: {
          calls: [
            {
              ...call,
              start,
              end: CONTENT.length,
              format: 'hermes-json',
              evidence: 'marker',
              rawName: 'read_file',
              repairs: [],
            },
          ],
          content: 'Let me check.',
          rejected: [],
        },
        usage,
        parseErrors: {},
        schemaIssues: {},
      },
      ledger: [
        {
          attempt: 1,
          startedAt,
          headersMs: 900,
          endMs,
          endedBy: 'server',
          status: 200,
          decision: 'done',
          reason: 'The server answered.',
        },
      ],
      findings: [
        isRepaired
          ? {
              cause: 'call-as-text',
              severity: 'info',
              what: 'The call came as text. The program received it as a native call.',
              tab: 'wire',
            }
          : {
              cause: 'call-as-text',
              severity: 'warning',
              what: 'The call came as text, so the program saw no call and its loop ended.',
              next: 'Turn on Repair calls, and the program gets native calls.',
              tab: 'tool-calls',
            },
        {
          severity: 'info',
          what: '7,412 of 8,192 tokens of context are used; the next message may not fit.',
          next: 'Raise the context size of the server.',
        },
      ],
      cut: [],
    },
  };
}
