import { describe, expect, it } from 'vitest';
import { selectedTool, toolActionsOf } from '../../../../webview/tools/tool-actions';
import { offerEdits, removeEdits } from '../../../../webview/tools/tool-edits';
import { FLIGHTS, openTools, toolView, WEATHER } from './open-tools';

const TOOLS = { tools: [WEATHER, FLIGHTS] };
const settle = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve));

async function open() {
  const opened = await openTools(TOOLS);
  const { playground } = opened;
  const shown = (): string | undefined => {
    const { session, view } = playground.state;
    return selectedTool(view.toolId, session.document?.tools ?? [])?.name;
  };
  return { ...opened, actions: toolActionsOf(playground), shown };
}

describe('ToolActions', () => {
  it('has one instance per panel', async () => {
    const { playground, actions } = await open();
    expect(toolActionsOf(playground)).toBe(actions);
  });

  it('sends typed text before an action that follows it', async () => {
    const { playground, actions, requests, tool } = await open();
    playground.fields.type('tools.0.name', 'weather');
    playground.fields.type('tools.0.description', 'New');
    expect(await actions.act('1', (scene) => offerEdits(scene.tool.index, false))).toBe(true);
    expect(requests.map(({ edits }) => edits?.[0]?.path.at(-1))).toEqual(['name', 'description', 'offered']);
    expect(tool(0)).toMatchObject({ name: 'weather', description: 'New' });
    expect(tool(1)).toMatchObject({ offered: false });
  });

  it('ignores a tool that was removed', async () => {
    const { actions, requests } = await open();
    expect(await actions.act('7', () => removeEdits(7))).toBe(false);
    expect(requests).toEqual([]);
  });

  it('keeps the selected tool selected when it moves', async () => {
    const { playground, shown, write } = await open();
    write({ tools: [{ ...FLIGHTS, name: 'first' }, WEATHER, FLIGHTS] });
    await settle();
    expect(shown()).toBe('get_weather');
    playground.setView({ toolId: '1' });
    write({ tools: [WEATHER, { ...FLIGHTS, name: 'new' }, FLIGHTS] });
    await settle();
    expect(shown()).toBe('search_flights');
    write({ tools: [WEATHER, { ...FLIGHTS, name: 'new' }] });
    await settle();
    expect(shown()).toBe('new');
  });

  it('selects a created tool, but no other new tool', async () => {
    const { actions, shown, read, write } = await open();
    const add = (name: string) => (): Promise<boolean> => {
      write({ tools: [...(read()['tools'] as unknown[]), { ...FLIGHTS, name }] });
      return Promise.resolve(true);
    };
    await actions.make(add('made'));
    await settle();
    expect(shown()).toBe('made');
    await add('other')();
    await settle();
    expect(shown()).toBe('made');
    expect(await actions.make(() => Promise.resolve(false))).toBe(false);
    await add('another')();
    await settle();
    expect(shown()).toBe('made');
  });
});

describe('selectedTool', () => {
  it('is the chosen tool, and the last one until the document has the chosen one', () => {
    const tools = [toolView(), toolView({ index: 1, id: '1' })];
    expect(selectedTool(undefined, tools)).toBe(tools[0]);
    expect(selectedTool('0', tools)).toBe(tools[0]);
    expect(selectedTool('7', tools)).toBe(tools[1]);
    expect(selectedTool('0', [])).toBeUndefined();
  });
});
