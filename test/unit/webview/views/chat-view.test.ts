import { html } from 'lit';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Drawn } from '../draw';
import { drawPart, findButton, nextFrames, press } from '../draw';
import { TOOL, toPanel } from '../samples';
import { registerOnce } from '../register-once';

beforeAll(registerOnce);

const OTHER = { ...TOOL, index: 1, id: '1', name: 'search' };

async function openMenu(): Promise<Drawn> {
  const drawn = await drawPart((playground) => html`<pg-app .playground=${playground}></pg-app>`, {
    document: { tools: [TOOL, OTHER] },
    answers: { 'tool/create': { id: '2' } },
  });
  const menu = drawn.host.querySelector('pg-tools-menu');
  if (!menu) throw new Error('no list of tools');
  findButton(menu, 'Tools').click();
  await drawn.settle();
  return drawn;
}
const focused = (): string | null | undefined => document.activeElement?.getAttribute('aria-label');

describe('the list of tools', () => {
  it('opens the editor of a tool and focuses it', async () => {
    const { host, settle } = await openMenu();
    const edit = findButton(host, 'Edit search');
    edit.focus();
    edit.click();
    await settle();
    await nextFrames();
    expect(focused()).toBe('Tool search');
  });

  it('opens the editor of a new tool as soon as the document has it, with its name selected', async () => {
    const { host, settle, playground } = await openMenu();
    findButton(host, 'Add tool').click();
    await settle();
    await nextFrames();
    expect(focused()).toBeNull();
    const tools = [TOOL, OTHER, { ...TOOL, index: 2, id: '2', name: 'new' }];
    const { session } = toPanel({ a: {} }, { document: { tools } });
    playground.update((state) => ({ ...state, session }));
    await settle();
    await nextFrames();
    expect(document.activeElement?.closest('.tool-name')).not.toBeNull();
  });
});

describe('a dialog of the editor', () => {
  it('returns the focus to where it was, or to the message box if that is gone', async () => {
    const { host, settle, sent } = await openMenu();
    findButton(host, 'Import tools').focus();
    findButton(host, 'Import tools').click();
    await settle();
    await nextFrames();
    expect(sent('tool/import')).toHaveLength(1);
    expect(document.activeElement?.isConnected).toBe(true);
    expect(document.activeElement).not.toBe(document.body);
  });
});

describe('Escape', () => {
  it('stops a run before the host has reported that it began', async () => {
    const { frames, settle } = await drawPart(
      (playground) => html`<pg-app .playground=${playground}></pg-app>`,
      { document: { draft: 'Hello' } },
    );
    press(window, 'Enter', { ctrlKey: true });
    await settle();
    press(window, 'Escape');
    const methods = frames.flatMap((frame) => (frame.kind === 'request' ? frame.method : []));
    expect(methods.filter((method) => method.startsWith('run/'))).toEqual(['run/start', 'run/stop']);
  });
});
