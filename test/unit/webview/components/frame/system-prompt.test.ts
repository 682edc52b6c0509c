import { readFileSync } from 'node:fs';
import { html } from 'lit';
import { beforeAll, describe, expect, it } from 'vitest';
import { drawPart, findButton, nextFrames } from '../../draw';
import { registerOnce } from '../../register-once';

beforeAll(registerOnce);

describe('SystemPrompt', () => {
  it('opens as a focused field, and closes to one line', async () => {
    const { host, playground, settle } = await drawPart(
      (drawn) => html`<pg-system-prompt .playground=${drawn}></pg-system-prompt>`,
      { lanes: { a: {} } },
    );
    const toggle = findButton(host, 'System prompt');
    const isBare = (): boolean => host.querySelector('.is-bare vscode-text-area') !== null;
    expect(isBare()).toBe(true);
    toggle.focus();
    toggle.click();
    await settle();
    await nextFrames();
    expect(isBare()).toBe(false);
    expect(document.activeElement).toBe(host.querySelector('vscode-text-area'));
    toggle.focus();
    toggle.click();
    await settle();
    expect([isBare(), playground.state.view.isPromptOpen]).toEqual([true, false]);
    expect(document.activeElement).toBe(toggle);
  });

  it('ends a placeholder that is too long for its one line with an ellipsis', () => {
    const css = readFileSync('webview/styles/frame.css', 'utf8');
    const control = String.raw`\.system:not\(\.is-open\) vscode-text-area::part\(control\)`;
    expect(css).toMatch(new RegExp(String.raw`${control} \{[^}]*text-overflow: ellipsis;`));
    expect(css).toMatch(new RegExp(String.raw`${control}::placeholder \{\s+overflow: hidden;`));
  });
});
