import { beforeEach, describe, expect, test, vi } from 'vitest';
import type * as vscode from 'vscode';
import { WireServices } from '../../../../src/host/wire/wire-services';
import type { WireSource } from '../../../../src/host/wire/wire-source';
import { toRunDocumentUri, toWireUri } from '../../../../src/host/wire/wire-uri';
import type { ExportedRun } from '../../../../src/inspect';
import type { WireRecord } from '../../../../src/session';
import type { PromptPlace } from '../../../../src/protocol';
import { exportedOf } from '../../../support/evaluation/exported';
import { openSession } from '../../../support/session/scripted-session';
import { commands, editor, env, resetEditor, Uri } from '../../../support/vscode/vscode-files';

beforeEach(resetEditor);

const RECORD: WireRecord = {
  connectionId: 'my groq',
  model: 'm',
  tools: [],
  requests: [
    {
      method: 'POST',
      url: 'http://h/v1/chat/completions',
      headers: { authorization: 'Bearer ****' },
      body: '{"model":"m"}',
    },
  ],
  attempts: [
    { name: 'attempt-1', request: 0 },
    {
      name: 'attempt-2',
      request: 0,
      response: { status: 200, headers: {}, body: '{"a":"é"}', isComplete: true, arrivals: [] },
    },
  ],
  sampling: { lane: {}, connection: {}, keys: {}, sent: {}, dropped: [] },
};

const RUN: ExportedRun = {
  title: 'Run',
  connectionId: 'c',
  connection: 'C',
  model: 'm',
  startedAt: '2026-05-01T10:00:00.000Z',
  durationMs: 5,
  verdict: { kind: 'answer', detail: '' },
  findings: [],
  raw: { content: 'The whole reply', toolCalls: [], usage: {}, attempts: 1 },
  calls: [],
  tools: [],
  parameters: [],
  ledger: [],
  attempts: [],
};

/** A run, and the second step of an agent run. */
const STORED = ['r1', 'agent/2'];
const reads: string[] = [];
const exports: string[] = [];
const SOURCE: WireSource = {
  read: (sessionId, runId) => {
    reads.push(`${sessionId} ${runId}`);
    return Promise.resolve(sessionId === 'scratch:1' && STORED.includes(runId) ? RECORD : undefined);
  },
  exported: (sessionId, runId) => {
    exports.push(`${sessionId} ${runId}`);
    return Promise.resolve(sessionId === 'scratch:1' && STORED.includes(runId) ? RUN : undefined);
  },
  madeBy: 'a test',
  describeServer: () => Promise.resolve('ollama 0.32.1'),
  describeModel: (_connectionId, model) =>
    Promise.resolve({
      id: model,
      capabilities: ['completion'],
      samplingDefaults: { temperature: 0.8, stop: ['x'.repeat(500)] },
    }),
};
const services = new WireServices(SOURCE);
const uriOf = (path: string, sessionId = 'scratch:1'): vscode.Uri =>
  Uri.from({ scheme: 'playground-run', path, query: sessionId }) as unknown as vscode.Uri;
const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    ({ code }: { code: string }) => code,
  );

describe('WireServices', () => {
  test('has a folder per attempt and a file per existing part', async () => {
    expect(await services.readDirectory(uriOf('/r1'))).toEqual([
      ['attempt-1', 2],
      ['attempt-2', 2],
    ]);
    expect((await services.readDirectory(uriOf('/r1/attempt-1/'))).map(([name]) => name)).toEqual([
      'request.http',
      'request.json',
      'headers.txt',
    ]);
    expect((await services.readDirectory(uriOf('/r1/attempt-2'))).map(([name]) => name)).toEqual([
      'request.http',
      'request.json',
      'response.json',
      'response.raw',
      'headers.txt',
    ]);
  });

  test('returns the size of the file’s content, and is read-only', async () => {
    const uri = uriOf('/r1/attempt-2/response.json');
    const bytes = await services.readFile(uri);
    expect(new TextDecoder().decode(bytes)).toBe('{\n  "a": "é"\n}\n');
    expect(await services.stat(uri)).toMatchObject({ type: 1, size: bytes.length, permissions: 1 });
    expect(await services.stat(uriOf('/r1/attempt-2'))).toMatchObject({ type: 2 });
    expect(await codeOf(services.readFile(uriOf('/r1')))).toBe('FileIsADirectory');
  });

  test.each([
    '/',
    '/r2/attempt-1/request.http',
    '/r1/attempt-3/request.http',
    '/r1/attempt-1/response.json',
    '/r1/attempt-1/request.http/more',
    '/r1/../r1/attempt-1/request.http',
    '/r1/attempt-1/secrets.json',
    '/r1//request.http',
  ])('finds no file at %s', async (path) => {
    expect(await codeOf(services.stat(uriOf(path)))).toBe('FileNotFound');
    expect(await codeOf(services.readFile(uriOf(path)))).toBe('FileNotFound');
  });

  test('returns everything that is kept of a run as one document', async () => {
    const uri = uriOf('/r1/run.md');
    const bytes = await services.readFile(uri);
    expect(new TextDecoder().decode(bytes)).toMatch(/^# Run of m\n[^]*The whole reply[^]*Keys are masked\./);
    expect(await services.stat(uri)).toMatchObject({ type: 1, size: bytes.length, permissions: 1 });
    for (const wrong of [uriOf('/r2/run.md'), uriOf('/r1/run.md/x'), uriOf('/r1/run.md', 'scratch:2')]) {
      expect(await codeOf(services.stat(wrong))).toBe('FileNotFound');
    }
    const named = toRunDocumentUri('scratch:1', { runId: 'r1', model: 'a/b:7', at: 0 });
    expect(await services.readFile(named)).toEqual(bytes);
    const gone = { runId: 'r2', model: 'm', at: 0 };
    await expect(services.openRun('scratch:1', gone)).rejects.toThrow('no longer stored');
  });

  test('reads a run that is opened only once, although its editor asks several times', async () => {
    const open = vi.spyOn(commands, 'executeCommand').mockImplementation(async (_, uri) => {
      const shown = uri as vscode.Uri;
      const { size } = await services.stat(shown);
      expect(await services.readFile(shown)).toHaveLength(size);
    });
    exports.length = 0;
    await services.openRun('scratch:1', { runId: 'r1', model: 'm', at: 0 });
    expect(exports).toEqual(['scratch:1 r1']);
    open.mockRestore();
    await services.readFile(uriOf('/r1/run.md'));
    expect(exports).toHaveLength(2);
  });

  test('shows a run document, and a file of a run, in the column where it is open', async () => {
    const run = { runId: 'r1', model: 'm', at: 0 };
    await services.openRun('scratch:1', run);
    const uri = toWireUri('scratch:1', 'r1', 'attempt-2/response.raw');
    const open = (): Promise<void> =>
      services.open({ id: 'scratch:1' } as never, 'r1', {
        attempt: 'attempt-2',
        file: 'response.raw',
      });
    await open();
    editor.groups.push(
      { viewColumn: 1, tabs: [{ input: undefined }] },
      { viewColumn: 3, tabs: [{ input: { uri } }] },
    );
    await open();
    expect(editor.shown).toMatchObject([
      { uri: toRunDocumentUri('scratch:1', run), options: { preview: true } },
      { uri, options: { viewColumn: -2 } },
      { uri, options: { viewColumn: 3 } },
    ]);
  });

  describe('export', () => {
    const textOf = (path: string): string | undefined => editor.files.get(path)?.text;

    test('saves HTML where the user wants it, and opens it in the browser of this machine', async () => {
      const uri = Uri.file('/x/report.html');
      editor.answers.push(uri, undefined);
      await services.export([RUN], 'html');
      expect(textOf('/x/report.html')).toMatch(/^<!doctype html>/);
      expect(editor.shown).toEqual([{ uri, options: 'in the browser' }]);
      await services.export([RUN], 'html');
      expect(editor.shown).toHaveLength(1);
    });

    test('says where the report is when the browser is on another machine', async () => {
      env.remoteName = 'ssh-remote';
      editor.answers.push(Uri.file('/x/report.html'));
      await services.export([RUN], 'html');
      env.remoteName = undefined;
      expect(editor.shown).toEqual([]);
      expect(editor.asked.at(-1)).toEqual([
        'The report was saved as /x/report.html. Download it to open it in a browser.',
      ]);
    });

    test('opens the other forms as texts that can be edited', async () => {
      await services.export([RUN, RUN], 'markdown');
      expect(textOf('Untitled-1')).toMatch(/^# Comparison of 2 runs\n/);
      await services.export([RUN], 'json');
      expect(textOf('Untitled-1')).toMatch(/^\{\n  "format": "provider-playground-runs"/);
      await services.export([RUN], 'report');
      expect(textOf('Untitled-1')).toContain('- Server: `ollama 0.32.1`');
      // Markdown also as it is read.
      const rendered = 'markdown.showPreview';
      const ways = editor.shown.map(({ options }) => (options === rendered ? 'rendered' : 'text'));
      expect(ways).toEqual(['text', 'rendered', 'text', 'text', 'rendered']);
    });
  });

  describe('export of an evaluation', () => {
    const evaluation = exportedOf('weather');

    test('saves HTML under the name of the playground, and opens the other forms as texts', async () => {
      const uri = Uri.file('/x/weather.html');
      editor.answers.push(uri);
      await services.exportEvaluation(evaluation, 'html');
      expect(editor.files.get('/x/weather.html')?.text).toContain('<title>Evaluation of weather</title>');
      expect(editor.shown).toEqual([{ uri, options: 'in the browser' }]);
      for (const [form, begin] of [
        ['markdown', '# Evaluation of weather\n'],
        ['json', '{\n  "kind": "evaluation",\n  "format": 1,\n  "madeBy": "a test"'],
        ['csv', 'row,name,lane,'],
      ] as const) {
        await services.exportEvaluation(evaluation, form);
        expect(editor.files.get('Untitled-1')?.text.slice(0, begin.length)).toBe(begin);
      }
    });

    test('saves one that is too long for an editor where the user wants it', async () => {
      const long = { ...evaluation, title: 'x'.repeat(6_000_000) };
      editor.answers.push(undefined, Uri.file('/x/long.json'));
      await services.exportEvaluation(long, 'json');
      expect(editor.files.has('/x/long.json')).toBe(false);
      await services.exportEvaluation(long, 'json');
      expect(editor.files.get('/x/long.json')?.text).toMatch(/^\{\n  "kind": "evaluation"/);
      expect(editor.asked.at(-1)).toEqual(['The evaluation was saved as /x/long.json.']);
    });

    test('is refused while the session has none', async () => {
      const { session } = await openSession();
      const handlers = services.handlers(session);
      const { signal } = new AbortController();
      await expect(handlers['evaluation/export']({ form: 'csv' }, signal)).rejects.toThrow(
        'There is no evaluation to export.',
      );
      const place = { rowId: 'a', laneId: 'a', repeat: 1, expectation: 0 };
      await expect(handlers['evaluation/diff'](place, signal)).rejects.toThrow('no longer has this sample');
    });
  });

  test('finds the files of a step of an agent run', async () => {
    expect((await services.readDirectory(uriOf('/agent/2'))).map(([name]) => name)).toEqual([
      'attempt-1',
      'attempt-2',
    ]);
    const request = toWireUri('scratch:1', 'agent/2', 'attempt-1/request.http');
    expect(await services.stat(request)).toMatchObject({ type: 1 });
    expect(new TextDecoder().decode(await services.readFile(uriOf('/agent/2/run.md')))).toMatch(
      /^# Run of m/,
    );
    expect(await codeOf(services.stat(uriOf('/agent/3/run.md')))).toBe('FileNotFound');
    expect(await codeOf(services.stat(uriOf('/agent/2/2/attempt-1')))).toBe('FileNotFound');
  });

  test('finds a run by the id of its session, with any characters', async () => {
    const id = 'file:///a b/ü?x#y.playground.json';
    const uri = toWireUri(id, 'r1', 'attempt-1/request.http');
    expect(await codeOf(services.stat(uri))).toBe('FileNotFound');
    expect(reads.at(-1)).toBe(`${id} r1`);
  });

  test('returns the server’s sampling defaults, limited in length', async () => {
    const { session } = await openSession();
    const scratch = Object.create(session, { id: { value: 'scratch:1' } }) as typeof session;
    const defaults = await services.samplingDefaults(scratch, 'r1');
    expect(defaults['temperature']).toBe('0.8');
    expect(defaults['stop']).toHaveLength(200);
  });

  test('returns findings from what the server says about the model', async () => {
    const one = await openSession();
    await one.ask('run/start', { laneIds: ['a'], kind: 'chat', text: 'Hello' });
    await one.settled();
    const runId = one.runs()[0]?.id ?? '';
    const handlers = services.handlers(one.session);
    const { signal } = new AbortController();
    const { findings } = await handlers['server/model']({ laneId: 'a', runId }, signal);
    expect(findings).toEqual([
      expect.objectContaining({
        cause: 'model-without-tools',
        evidence: [{ place: 'server, capabilities', quote: 'completion' }],
      }),
    ]);
  });

  test('copies the last request, and names the variable of its key', async () => {
    const { session } = await openSession();
    const scratch = Object.create(session, { id: { value: 'scratch:1' } }) as typeof session;
    expect(await services.copy(scratch, 'r1', 'bash')).toEqual(['MY_GROQ_API_KEY']);
    expect(editor.clipboard).toContain(`--header 'authorization: Bearer '"$MY_GROQ_API_KEY"`);
    await expect(services.copy(session, 'r1', 'bash')).rejects.toThrow('are no longer stored');
    const place = { attempt: 'attempt-1', file: 'request.http' };
    await expect(services.open(session, 'r1', place)).rejects.toThrow('are no longer stored');
  });

  test('opens the whole text of the prompt that was rendered last, and refuses another one', async () => {
    const text = 'x'.repeat(200_000);
    const rendered = { text, specialTokens: [], isFromTokenizer: true, missingTools: [] };
    const { session, ask } = await openSession({ render: () => Promise.resolve(rendered) });
    const { signal } = new AbortController();
    const open = (place: PromptPlace): Promise<null> =>
      new WireServices(SOURCE).handlers(session)['prompt/open'](place, signal);
    await expect(open({ laneId: 'a' })).rejects.toThrow('no longer there');
    await ask('message/draft', { text: 'hi' });
    await ask('prompt/render', { laneId: 'a' });
    editor.files.set('/1/rendered-prompt.txt', { text: '', mtime: 1 });
    await open({ laneId: 'a' });
    const provider = editor.providers.get('playground-text') as vscode.TextDocumentContentProvider;
    const uri = editor.shown[0]?.uri as unknown as vscode.Uri;
    expect(provider.provideTextDocumentContent(uri, {} as vscode.CancellationToken)).toBe(text);
  });
});
