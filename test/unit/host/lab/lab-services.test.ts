// The host of the format lab: what it makes of a selection, a file and a saved lab, and which marks it sets in the editor.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HostFrame, LabMethod, LabParams, LabResults } from '../../../../src/protocol';
import { formatToolCalls } from '../../../../src/library';
import { toErrorInfo } from '../../../../src/connections/error-info';
import { createPanel, editor } from '../../../support/vscode/text-editor';
import type { Mark } from '../../../support/vscode/text-editor';

vi.mock('vscode', async () => (await import('../../../support/vscode/text-editor')).vscode);

const { LabServices } = await import('../../../../src/host/lab/lab-services');
type Uri = Parameters<InstanceType<typeof LabServices>['openFile']>[0];
type Panel = Parameters<InstanceType<typeof LabServices>['openFile']>[1];

const CALL = { name: 'get_weather', arguments: { city: 'Oslo' } };
const TOOLS = [{ name: 'get_weather', parameters: { type: 'object' } }];
const HERMES = formatToolCalls([CALL], 'hermes-json');
/** Parameters of a request of the playground page. */
const RUN: object = { laneIds: ['a'], kind: 'chat' };
const folder = mkdtempSync(join(tmpdir(), 'lab-'));
afterAll(() => rmSync(folder, { recursive: true }));

const explain = vi.fn(toErrorInfo);
const log = { info: () => undefined, warn: vi.fn(), error: vi.fn(), show: () => undefined };
const tools = { choose: vi.fn(() => Promise.resolve(TOOLS)) };
let services: InstanceType<typeof LabServices>;
let count = 0;

beforeEach(() => {
  Object.assign(editor, {
    text: '',
    selection: [0, 0, 0, 0],
    isOpen: true,
    panels: [],
    messages: [],
    chosen: undefined,
    answer: undefined,
  });
  editor.marks.clear();
  editor.changed.clear();
  services = new LabServices({ explain, log, tools, extensionUri: { path: '/ext' } } as never);
});

/** Sends a request as the page of the last panel. */
async function ask<M extends LabMethod>(method: M, params: LabParams[M]): Promise<LabResults[M]> {
  const panel = editor.panels.at(-1);
  if (!panel) throw new Error('there is no panel');
  const id = `r${++count}`;
  panel.receive({ kind: 'request', id, method, params });
  const replied = (): HostFrame | undefined =>
    (panel.frames as HostFrame[]).find((frame) => frame.kind === 'reply' && frame.id === id);
  await expect.poll(replied).toBeDefined();
  const reply = replied();
  if (reply?.kind !== 'reply' || !reply.ok) throw new Error(JSON.stringify(reply));
  return reply.result as LabResults[M];
}

/** The text of the hover, without the escapes of Markdown. */
const hoverOf = (mark: Mark | undefined): string | undefined =>
  mark?.hoverMessage.value.replaceAll(/\\(.)/g, '$1');

const marks = (style: 'solid' | 'dashed'): Mark[] =>
  [...editor.marks]
    .filter(([kind]) => (kind as { borderStyle: string }).borderStyle === style)
    .flatMap(([, all]) => all as Mark[]);

describe('a selection', () => {
  it('opens a lab beside the editor, with normalized line ends', async () => {
    editor.text = `# Notes\r\nHe wrote: ${HERMES.replaceAll('\n', '\r\n')}\r\nend`;
    editor.selection = [1, 10, 3, 12];
    await services.diagnose();
    expect(editor.panels).toMatchObject([{ column: -2 }]);
    const { given, formats } = await ask('lab/open', {});
    expect(given).toMatchObject({
      document: { version: 1, text: HERMES },
      from: 'a selection in notes.md',
      isTextOnly: true,
    });
    expect(formats.length).toBeGreaterThan(50);
  });

  it('gets marks at the calls, and at rejected candidates with the reason', async () => {
    editor.text = `# Notes\r\nHe wrote: ${HERMES.replaceAll('\n', '\r\n')}\r\n${formatToolCalls([{ ...CALL, name: 'x' }], 'hermes-json').replaceAll('\n', '\r\n')}\r\nend`;
    editor.selection = [1, 10, 7, 0];
    await services.diagnose();
    const { given } = await ask('lab/open', {});
    await ask('lab/read', { text: given?.document.text ?? '', tools: TOOLS });
    expect(marks('solid')).toMatchObject([
      { range: { start: { line: 1, character: 10 }, end: { line: 3, character: 12 } } },
    ]);
    expect(hoverOf(marks('solid')[0])).toBe('A call of get_weather in hermes-json.');
    expect(marks('dashed')).toMatchObject([
      { range: { start: { line: 4, character: 0 }, end: { line: 6, character: 12 } } },
    ]);
    expect(hoverOf(marks('dashed')[0])).toContain(
      'Left as text: unknown-tool, hermes-json. x was not offered',
    );
  });

  it('gets new marks when it is read with other tools, but not when another text is read', async () => {
    editor.text = HERMES;
    await services.diagnose();
    await ask('lab/read', { text: HERMES, tools: [] });
    expect(marks('dashed')).toHaveLength(1);
    await ask('lab/read', { text: `${HERMES} `, tools: TOOLS });
    expect(marks('dashed')).toHaveLength(1);
    await ask('lab/read', { text: HERMES, tools: TOOLS });
    expect(marks('dashed')).toHaveLength(0);
    expect(marks('solid')).toHaveLength(1);
  });

  it('loses its marks when its text changes or the lab closes', async () => {
    editor.text = HERMES;
    await services.diagnose();
    await ask('lab/read', { text: HERMES, tools: TOOLS });
    for (const listener of editor.changed)
      listener({ document: { uri: { toString: () => 'file:///other' } }, contentChanges: [{}] });
    expect(marks('solid')).toHaveLength(1);
    for (const listener of editor.changed)
      listener({ document: { uri: { toString: () => 'file:///projects/notes.md' } }, contentChanges: [{}] });
    expect(editor.marks.size).toBe(0);
    await ask('lab/read', { text: HERMES, tools: TOOLS });
    expect(editor.marks.size).toBe(0);
    await services.diagnose();
    await ask('lab/read', { text: HERMES, tools: TOOLS });
    expect(marks('solid')).toHaveLength(1);
    editor.panels[0]?.close();
    expect(editor.marks.size).toBe(0);
  });

  it('reuses its own lab, but not one that was opened by command', async () => {
    services.open();
    editor.text = 'one';
    await services.diagnose();
    editor.text = 'two';
    await services.diagnose();
    expect(editor.panels).toHaveLength(2);
    expect(editor.panels[1]?.reveals).toBe(1);
    expect((await ask('lab/open', {})).given).toMatchObject({ document: { text: 'two' }, from: 'notes.md' });
    const events = ((editor.panels[1]?.frames ?? []) as HostFrame[]).filter(
      (frame) => frame.kind === 'event',
    );
    expect(events).toMatchObject([{ name: 'lab/given', data: { document: { text: 'two' } } }]);
  });

  it('makes hidden characters visible in a hover, and escapes markup', async () => {
    const name = 'a\u202eb[x](command:evil)';
    editor.text = `<tool_call>\n${JSON.stringify({ name, arguments: {} })}\n</tool_call>`;
    await services.diagnose();
    await ask('lab/read', { text: editor.text, tools: [] });
    const [mark] = marks('dashed');
    expect(hoverOf(mark)).toContain('a\\u{202e}b');
    expect(mark?.hoverMessage.value).toContain(String.raw`\[x\] \(command\:evil\)`);
  });

  it('is requested when there is none, and refused when it is too long', async () => {
    editor.isOpen = false;
    await services.diagnose();
    expect(editor.messages[0]).toContain('select the part with the call');
    Object.assign(editor, { isOpen: true, text: 'x'.repeat(1_000_001) });
    await services.diagnose();
    expect(editor.messages[1]).toContain('at most 1000000');
    expect(editor.panels).toEqual([]);
  });
});

describe('a file', () => {
  const openFile = (name: string, content: string): void => {
    const path = join(folder, name);
    writeFileSync(path, content);
    services.openFile(
      { path, fsPath: path, toString: () => `file://${path}` } as Uri,
      createPanel(0) as Panel,
    );
  };

  it('can be saved and opened again', async () => {
    services.open();
    editor.chosen = join(folder, 'weather');
    const document = { version: 1 as const, text: HERMES, tools: TOOLS, format: 'hermes-json' };
    expect(await ask('lab/save', { document })).toEqual({ isSaved: true });
    expect(JSON.parse(readFileSync(join(folder, 'weather.toolcall.json'), 'utf8'))).toEqual(document);
    editor.chosen = join(folder, 'weather.toolcall.json');
    await ask('lab/open-file', {});
    const { given } = await ask('lab/open', {});
    expect(given).toMatchObject({ document, from: 'weather.toolcall.json' });
  });

  it('is replaced only if the dialog or a second question has asked', async () => {
    services.open();
    const path = join(folder, 'kept.toolcall.json');
    writeFileSync(path, 'mine');
    editor.chosen = join(folder, 'kept.json');
    const document = { version: 1 as const, text: HERMES };
    expect(await ask('lab/save', { document })).toEqual({ isSaved: false });
    expect(readFileSync(path, 'utf8')).toBe('mine');
    expect(editor.messages).toEqual(['kept.toolcall.json already exists.']);
    editor.answer = 'Replace';
    expect(await ask('lab/save', { document })).toEqual({ isSaved: true });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(document);
    // The dialog itself has asked about this file.
    editor.answer = undefined;
    editor.chosen = path;
    expect(await ask('lab/save', { document })).toEqual({ isSaved: true });
  });

  it('has the same id until it changes, so that the page knows whether it has it already', async () => {
    openFile('a.toolcall.json', JSON.stringify({ version: 1, text: 'one' }));
    const first = (await ask('lab/open', {})).given;
    expect(first).toMatchObject({ document: { version: 1, text: 'one' }, from: 'a.toolcall.json' });
    expect((await ask('lab/open', {})).given?.id).toBe(first?.id);
    writeFileSync(join(folder, 'a.toolcall.json'), JSON.stringify({ version: 1, text: 'two' }));
    const second = (await ask('lab/open', {})).given;
    expect(second).toMatchObject({ document: { text: 'two' } });
    expect(second?.id).not.toBe(first?.id);
  });

  it.each([
    ['is not JSON', '{"version": 1,\n oops', 'Line 2'],
    ['has another kind of content', '[]', 'Line 1'],
    ['is too large', ' '.repeat(8_000_001), 'could not be read'],
  ])('that %s is reported, and the lab still works', async (_, content, what) => {
    openFile('bad.toolcall.json', content);
    const { given, problem, formats } = await ask('lab/open', {});
    expect(given).toBeUndefined();
    expect(problem?.what).toContain(what);
    expect(formats.length).toBeGreaterThan(50);
    expect((await ask('lab/read', { text: HERMES })).report.calls).toHaveLength(1);
  });

  it('of any other kind is opened as text', async () => {
    services.open();
    editor.chosen = join(folder, 'reply.txt');
    writeFileSync(editor.chosen, 'a\r\nb');
    await ask('lab/open-file', {});
    expect((await ask('lab/open', {})).given).toMatchObject({
      document: { text: 'a\nb' },
      from: 'reply.txt',
    });
  });

  it('is neither written nor opened when the dialog is cancelled', async () => {
    services.open();
    const document = { version: 1 as const, text: 'x' };
    expect(await ask('lab/save', { document })).toEqual({ isSaved: false });
    expect(await ask('lab/open-file', {})).toBeNull();
    expect((await ask('lab/open', {})).given).toBeUndefined();
  });
});

describe('a lab', () => {
  it('offers the tools of the editor and of libraries', async () => {
    services.open();
    expect(await ask('lab/choose-tools', {})).toEqual({ tools: TOOLS });
    tools.choose.mockResolvedValueOnce(undefined as never);
    expect(await ask('lab/choose-tools', {})).toEqual({});
  });

  it('refuses requests of other pages, and texts that are too long', async () => {
    services.open();
    explain.mockClear();
    await expect(ask('lab/read', { text: 'x'.repeat(1_000_001) })).rejects.toThrow('longer than 1000000');
    await expect(ask('run/start' as LabMethod, RUN)).rejects.toThrow('internal');
    expect(explain).toHaveBeenCalled();
  });

  it('counts the calls that each format alone finds', async () => {
    services.open();
    const counts = await ask('lab/compare-formats', { text: HERMES, tools: TOOLS });
    expect(counts[0]).toEqual({ id: 'hermes-json', calls: 1, rejected: 0 });
  });
});
