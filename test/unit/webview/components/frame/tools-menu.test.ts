import { html } from 'lit';
import { beforeAll, describe, expect, it } from 'vitest';
import { CHAT_VIEW } from '../../../../../webview/views/chat-view';
import type { Drawn, DrawOptions } from '../../draw';
import { drawPart, findButton, press, textOf } from '../../draw';
import { TOOL } from '../../samples';
import { registerOnce } from '../../register-once';

beforeAll(registerOnce);

const TOOLS = [
  TOOL,
  {
    ...TOOL,
    index: 1,
    id: '1',
    name: 'search',
    isOffered: false,
    reference: 'user#/search',
    problems: ['Its schema is none.'],
  },
];

async function open(options: DrawOptions = { document: { tools: TOOLS } }): Promise<Drawn> {
  const drawn = await drawPart(
    (playground) => html`<div>${CHAT_VIEW.renderActions(playground)}</div>`,
    options,
  );
  findButton(drawn.host, 'Tools').click();
  await drawn.settle();
  return drawn;
}

describe('ToolsMenu', () => {
  it('lists the tools with their problems', async () => {
    const { host } = await open();
    expect(findButton(host, 'Tools').getAttribute('aria-description')).toBe('get_weather');
    const choices = [...host.querySelectorAll('.choice')].map(textOf);
    expect(choices[0]).toContain('The weather in a city.');
    expect(choices[1]).toContain('from user#/search');
    expect(choices[1]).toContain('Its schema is none.');
  });

  it('switches whether a tool is offered, edits and removes it', async () => {
    const { host, sent, settle, playground } = await open();
    for (const [index, checked] of [
      [0, false],
      [1, true],
    ] as const) {
      const box = host.querySelectorAll<HTMLElement & { checked?: boolean }>('vscode-checkbox')[index];
      if (box) box.checked = checked;
      box?.dispatchEvent(new Event('change'));
    }
    findButton(host, 'Remove search').click();
    findButton(host, 'Edit search').click();
    await settle();
    expect(sent('document/edit')).toEqual([
      { edits: [{ path: ['tools', 0, 'offered'], value: false }] },
      { edits: [{ path: ['tools', 1, 'offered'] }] },
      { edits: [{ path: ['tools', 1] }] },
    ]);
    expect(playground.state.view).toMatchObject({ view: 'tools', toolId: '1' });
  });

  it('adds and imports tools', async () => {
    const { host, sent } = await open({ document: { tools: [] } });
    expect(textOf(host.querySelector('.menu'))).toContain('There is no tool yet.');
    findButton(host, 'Add tool').click();
    findButton(host, 'Import tools').click();
    expect([sent('tool/create'), sent('tool/import')]).toEqual([[{}], [{}]]);
  });

  it('closes on Escape and restores the focus', async () => {
    const { host, settle } = await open();
    press(findButton(host, 'Add tool'), 'Escape');
    await settle();
    expect(host.querySelector('.menu')).toBeNull();
    expect(document.activeElement).toBe(findButton(host, 'Tools'));
  });
});
