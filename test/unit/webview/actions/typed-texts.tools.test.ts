import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ToolPlace } from '../../../../webview/tools/tool-fields';
import { toolKey, translateView, withIndexIds } from '../../../../webview/tools/tool-fields';
import { FLIGHTS, openTools, WEATHER } from '../tools/open-tools';

const DESCRIPTION = { part: 'description' } as const;
const NAME = { part: 'name' } as const;
const DELAY = { list: 'mocks', at: 0, part: 'delayMs' } as const;
const TOOLS = { tools: [WEATHER, FLIGHTS] };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Lets all pending promises settle. */
const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
const quiet = (): Promise<unknown> => vi.advanceTimersByTimeAsync(300);

async function open(content: unknown = TOOLS) {
  const opened = await openTools(content);
  const { playground } = opened;
  const keyOf = (place: ToolPlace, index: number): string => {
    const tool = playground.state.session.document?.tools[index];
    if (!tool) throw new Error('no such tool');
    return toolKey(tool, place);
  };
  const type = (place: ToolPlace, text: string, index = 0) =>
    playground.fields.type(keyOf(place, index), text);
  const leave = (place: ToolPlace, index = 0) => playground.fields.leave(keyOf(place, index));
  /** What is typed, by where its field is now. */
  const fields = (): Record<string, string> => {
    const { view, session } = playground.state;
    const tools = session.document?.tools ?? [];
    return Object.fromEntries(translateView(view, tools, withIndexIds(tools)).fields);
  };
  const typeAndLeave = async (place: ToolPlace, text: string, index = 0): Promise<void> => {
    type(place, text, index);
    leave(place, index);
    await settle();
  };
  return { ...opened, type, leave, fields, typeAndLeave };
}

describe('TypedTexts of tools', () => {
  it('sends typed text after a pause, as one undo step', async () => {
    const { type, requests, tool, fields } = await open();
    type(DESCRIPTION, 'N');
    type(DESCRIPTION, 'New');
    await settle();
    expect(requests).toEqual([]);
    await quiet();
    expect(requests).toMatchObject([{ method: 'document/edit', gather: 'tools.0.description' }]);
    expect(tool(0)).toMatchObject({ description: 'New' });
    expect(fields()).toEqual({});
  });

  it('sends typed text at once when the panel is about to close', async () => {
    const { type, playground, tool } = await open();
    type(DESCRIPTION, 'New');
    playground.flush();
    await settle();
    expect(tool(0)).toMatchObject({ description: 'New' });
  });

  it('sends the value before an undo, then shows the value of the document', async () => {
    const { type, playground, requests, fields, write } = await open();
    type(DESCRIPTION, 'New');
    await playground.undo();
    expect(requests.map(({ method }) => method)).toEqual(['document/edit', 'document/undo']);
    write(TOOLS);
    await settle();
    expect(fields()).toEqual({});
  });

  it('sends the value at once when the field loses the focus, then shows the document', async () => {
    const { requests, fields, tool, typeAndLeave } = await open();
    await typeAndLeave({ list: 'parameters', at: 1, part: 'options' }, 'kelvin\n');
    expect(requests).toMatchObject([{ gather: 'tools.0.parameters.1.options', isLast: true }]);
    expect(tool(0)).toMatchObject({ parameters: { properties: { unit: { enum: ['kelvin'] } } } });
    expect(fields()).toEqual({});
  });

  it('cancels an edit that the host may still be holding', async () => {
    const { type, leave, requests, fields } = await open();
    type(DESCRIPTION, 'New');
    await quiet();
    type(DESCRIPTION, WEATHER.description);
    leave(DESCRIPTION);
    await settle();
    const gather = 'tools.0.description';
    expect(requests).toMatchObject([
      { edits: [{ value: 'New' }], gather, isLast: undefined },
      { edits: [{ value: WEATHER.description }], gather, isLast: true },
    ]);
    expect(fields()).toEqual({});
  });

  it('keeps an invalid text without sending it', async () => {
    const { requests, fields, typeAndLeave, write } = await open();
    await typeAndLeave(NAME, '');
    await typeAndLeave(DELAY, 'soon');
    expect(requests).toEqual([]);
    write({ tools: [{ ...WEATHER, description: 'Else' }, FLIGHTS] });
    await settle();
    expect(fields()).toEqual({ 'tools.0.name': '', 'tools.0.mocks.0.delayMs': 'soon' });
    await typeAndLeave(DELAY, '5');
    expect(requests).toHaveLength(1);
    expect(fields()).toEqual({ 'tools.0.name': '' });
  });

  it('does not send a field that was removed', async () => {
    const { type, requests, write } = await open();
    type(DELAY, '5');
    write({ tools: [{ ...WEATHER, mocks: [] }, FLIGHTS] });
    await quiet();
    expect(requests).toEqual([]);
  });

  it('drops texts with their tool, parameter or mock', async () => {
    const { typeAndLeave, fields, write } = await open();
    await typeAndLeave({ list: 'parameters', at: 1, part: 'name' }, 'city');
    await typeAndLeave(DELAY, 'soon');
    await typeAndLeave(NAME, '', 1);
    const { properties } = WEATHER.parameters;
    const swapped = { type: 'object', properties: { unit: properties.unit, city: properties.city } };
    const mocks = [{ ask: true }, ...WEATHER.mocks];
    write({ tools: [{ ...FLIGHTS, name: 'new' }, { ...WEATHER, parameters: swapped, mocks }, FLIGHTS] });
    await settle();
    expect(fields()).toEqual({
      'tools.1.parameters.0.name': 'city',
      'tools.1.mocks.1.delayMs': 'soon',
      'tools.2.name': '',
    });
    write({ tools: [FLIGHTS] });
    await settle();
    expect(fields()).toEqual({ 'tools.0.name': '' });
  });
});
