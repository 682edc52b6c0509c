import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { offerEdits, removeEdits } from '../../../../webview/tools/tool-edits';
import type { ToolPlace } from '../../../../webview/tools/tool-fields';
import { selectedIndex, toolTextsOf } from '../../../../webview/tools/tool-texts';
import { FLIGHTS, openTools, WEATHER } from './open-tools';

const NAME = { tool: 0, part: 'name' } as const;
const DESCRIPTION = { tool: 0, part: 'description' } as const;
const DELAY = { tool: 0, list: 'mocks', at: 0, part: 'delayMs' } as const;
const TOOLS = { tools: [WEATHER, FLIGHTS] };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Lets all pending promises settle. */
const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
const quiet = (): Promise<unknown> => vi.advanceTimersByTimeAsync(300);

async function open(content: unknown = TOOLS) {
  const opened = await openTools(content);
  const texts = toolTextsOf(opened.playground);
  const fields = (): Record<string, string> => Object.fromEntries(opened.playground.state.view.fields);
  const typeAndLeave = async (place: ToolPlace, text: string): Promise<void> => {
    texts.type(place, text);
    texts.leave(place);
    await settle();
  };
  return { ...opened, texts, fields, typeAndLeave };
}

describe('ToolTexts', () => {
  it('has one instance per panel', async () => {
    const { playground, texts } = await open();
    expect(toolTextsOf(playground)).toBe(texts);
  });

  it('sends typed text after a pause, as one undo step', async () => {
    const { texts, requests, tool, fields } = await open();
    texts.type(DESCRIPTION, 'N');
    texts.type(DESCRIPTION, 'New');
    await settle();
    expect(requests).toEqual([]);
    await quiet();
    expect(requests).toMatchObject([{ method: 'document/edit', gather: 'tools.0.description' }]);
    expect(tool(0)).toMatchObject({ description: 'New' });
    // The field still shows the typed text.
    expect(fields()).toEqual({ 'tools.0.description': 'New' });
  });

  it('sends typed text at once when the panel is about to close', async () => {
    const { playground, texts, tool } = await open();
    texts.type(DESCRIPTION, 'New');
    playground.flush();
    await settle();
    expect(tool(0)).toMatchObject({ description: 'New' });
  });

  it('sends the value before an undo, then shows the value of the document', async () => {
    const { playground, texts, requests, fields, write } = await open();
    texts.type(DESCRIPTION, 'New');
    await playground.undo();
    expect(requests.map(({ method }) => method)).toEqual(['document/edit', 'document/undo']);
    write(TOOLS);
    await settle();
    expect(fields()).toEqual({});
  });

  it('sends the value at once when the field loses the focus, then shows the document', async () => {
    const { requests, fields, tool, typeAndLeave } = await open();
    await typeAndLeave({ tool: 0, list: 'parameters', at: 1, part: 'options' }, 'kelvin\n');
    expect(requests.map(({ gather }) => gather)).toEqual([undefined]);
    expect(tool(0)).toMatchObject({ parameters: { properties: { unit: { enum: ['kelvin'] } } } });
    expect(fields()).toEqual({});
  });

  it('cancels an edit that the host may still be holding', async () => {
    const { texts, requests, fields } = await open();
    texts.type(DESCRIPTION, 'New');
    await quiet();
    texts.type(DESCRIPTION, WEATHER.description);
    texts.leave(DESCRIPTION);
    await settle();
    expect(requests.map(({ edits, gather }) => [edits?.[0]?.value, gather])).toEqual([
      ['New', 'tools.0.description'],
      [WEATHER.description, undefined],
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
    const { texts, requests, write } = await open();
    texts.type(DELAY, '5');
    write({ tools: [{ ...WEATHER, mocks: [] }, FLIGHTS] });
    await quiet();
    expect(requests).toEqual([]);
  });

  it('sends typed text before an action that follows it', async () => {
    const { texts, requests, tool } = await open();
    texts.type(NAME, 'weather');
    texts.type(DESCRIPTION, 'New');
    expect(await texts.act(1, () => offerEdits(1, false))).toBe(true);
    expect(requests.map(({ edits }) => edits?.[0]?.path.at(-1))).toEqual(['name', 'description', 'offered']);
    expect(tool(0)).toMatchObject({ name: 'weather', description: 'New' });
    expect(tool(1)).toMatchObject({ offered: false });
  });

  it('ignores a tool that was removed', async () => {
    const { texts, requests } = await open();
    expect(await texts.act(7, () => removeEdits(7))).toBe(false);
    expect(requests).toEqual([]);
  });

  it('drops texts with their tool, parameter or mock', async () => {
    const { typeAndLeave, fields, write } = await open();
    await typeAndLeave({ tool: 0, list: 'parameters', at: 1, part: 'name' }, 'city');
    await typeAndLeave(DELAY, 'soon');
    await typeAndLeave({ tool: 1, part: 'name' }, '');
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

  it('keeps the selected tool selected when it moves', async () => {
    const { playground, write } = await open();
    playground.setView({ toolIndex: 1 });
    write({ tools: [WEATHER, { ...FLIGHTS, name: 'new' }, FLIGHTS] });
    await settle();
    expect(playground.state.view.toolIndex).toBe(2);
    write({ tools: [WEATHER] });
    await settle();
    expect(playground.state.view.toolIndex).toBe(0);
  });

  it('selects a created tool, but no other new tool', async () => {
    const { playground, texts, read, write } = await open();
    const add = (name: string) => (): Promise<boolean> => {
      write({ tools: [...(read()['tools'] as unknown[]), { ...FLIGHTS, name }] });
      return Promise.resolve(true);
    };
    await texts.make(add('made'));
    await settle();
    expect(playground.state.view.toolIndex).toBe(2);
    await add('other')();
    await settle();
    expect(playground.state.view.toolIndex).toBe(2);
    expect(await texts.make(() => Promise.resolve(false))).toBe(false);
    await add('another')();
    await settle();
    expect(playground.state.view.toolIndex).toBe(2);
  });

  it('does not touch the texts of other fields', async () => {
    const { playground, write, fields } = await open();
    playground.setView({ fields: new Map([['sampling.temperature a', 'warm']]) });
    write({ tools: [] });
    await settle();
    expect(fields()).toEqual({ 'sampling.temperature a': 'warm' });
  });
});

describe('selectedIndex', () => {
  it('is the index of an existing tool', () => {
    expect(selectedIndex(undefined, 3)).toBe(0);
    expect(selectedIndex(7, 3)).toBe(2);
    expect(selectedIndex(1, 0)).toBe(0);
  });
});
