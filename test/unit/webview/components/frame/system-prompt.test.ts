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

  it('lets the end of its one line fade out, as the text may be longer', () => {
    const css = readFileSync('webview/styles/frame.css', 'utf8');
    const control = String.raw`\.system:not\(\.is-open\) vscode-text-area:not\(:focus-within\)::part\(control\)`;
    expect(css).toMatch(new RegExp(String.raw`${control} \{\s+mask-image: linear-gradient\(to left, `));
  });
});
